import type { Client, Operations } from '../sdk/index.ts'

type Asked = Operations['askQuestion']['input']['body']
type Who = Pick<Asked, 'who' | 'people'>

/** Those who may answer questions of the agent: the person who asked, a role, anyone, or these people. */
export type Approvers = 'asker' | 'anyone' | 'admins' | 'owners' | readonly string[]

const MAX_PEOPLE = 20

/** The profile ids of these addresses. Throws with those that nobody has. */
export async function findPeople(parley: Client, emails: readonly string[]): Promise<string[]> {
  const { members } = await parley.listMembers({ query: { emails: emails.join(','), limit: 100 } })
  const found = new Map(members.map(({ id, email }) => [email?.toLowerCase(), id]))
  const unknown = emails.filter((email) => !found.has(email.toLowerCase()))
  if (unknown.length > 0)
    throw new Error(`No member of the organization has the address ${unknown.join(', ')}.`)
  return emails.map((email) => found.get(email.toLowerCase()) ?? '')
}

/** Who may answer in this topic; undefined where nobody there may. */
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
