import { createTopic } from '../../server/actions/topics/topics.ts'
import { type Backstage, type Bot, makeBots } from './cast.ts'
import { writeHistory } from './history.ts'
import { makeSignedIn, type SignedIn } from './people.ts'

export type ChatTopic = { id: string; bots: Bot[] }
/** An organization of people with browsers: each topic has all of them, a bot, and a history. */
export type ChatCast = { people: SignedIn[]; topics: ChatTopic[] }

export async function makeChat(
  backstage: Backstage,
  { people, topics, messagesEach }: { people: number; topics: number; messagesEach: number },
): Promise<ChatCast> {
  const { db, orgId } = backstage
  const signedIn = await makeSignedIn(backstage, people)
  const bots = await makeBots(backstage, topics)
  const made: ChatTopic[] = []
  for (const [number, bot] of bots.entries()) {
    const { id } = await db.write(orgId, (tx) =>
      createTopic(tx, {
        createdBy: bot.id,
        name: `Topic ${number}`,
        members: signedIn.map(({ profileId }) => profileId),
      }),
    )
    made.push({ id, bots: [bot] })
  }
  if (messagesEach > 0) await writeHistory(backstage, made, messagesEach)
  return { people: signedIn, topics: made }
}
