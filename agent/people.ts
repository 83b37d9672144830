import type { Client, Operations } from '../sdk/index.ts'

type Asked = Operations['askQuestion']['input']['body']
type Who = Pick<Asked, 'who' | 'people'>

/** Approvers answer questions of the agent: the person who asked, a role, anyone, or the people with these ids. */
export type Approvers = 'asker' | 'anyone' | 'admins' | 'owners' | readonly string[]

const MAX_PEOPLE = 20

/** Profile ids of these addresses. Throws with the addresses that are unknown. */
export async function findPeople(parley: Client, emails: readonly string[]): Promise<string[]> {
  const { members } = await parley.listMembers({ query: { emails: emails.join(','), limit: 100 } })
  const found = new Map(members.map(({ id, email }) => [email?.toLowerCase(), id]))
  const unknown = emails.filter((email) => !found.has(email.toLowerCase()))
  if (unknown.length > 0)
    throw new Error(`No member of the organization has the address ${unknown.join(', ')}.`)
  return emails.map((email) => found.get(email.toLowerCase()) ?? '')
}

/** The people who may answer in this topic; undefined if none of them is there. */
export async function audienceOf(
  parley: Client,
  approvers: Approvers,
  { topicId, senderId }: { topicId: string; senderId: string },
): Promise<Who | undefined> {
  if (approvers === 'anyone' || approvers === 'admins' || approvers === 'owners') return { who: approvers }
  if (approvers === 'asker') return { who: 'people', people: [senderId] }
  const { memberIds } = await parley.readTopic({ params: { topicId } })
  const people = approvers.filter((id) => memberIds.includes(id)).slice(0, MAX_PEOPLE)
  return people.length > 0 ? { who: 'people', people } : undefined
}
