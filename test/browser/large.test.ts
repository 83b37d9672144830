import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bots as botTexts } from '../../web/src/texts/bots.ts'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import { shellPlaces } from '../../web/src/texts/shell-places.ts'
import { topicDetails } from '../../web/src/texts/topic-details.ts'
import { BROWSER, openStage, openTeam, type Stage, type Team, takePicture } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { countOf } from '../support/thorough.ts'

const MEMBERS = countOf(400, 10_000)
const TOPICS = countOf(300, 2000)
/** The most nodes of any view, however large the organization is. */
const MAX_NODES = 3000

const shell = shellTexts.en

/** An organization that is too large to be drawn, or to be read, as a whole. */
describe.skipIf(BROWSER === undefined)('a large organization', () => {
  let stage: Stage
  let team: Team
  let ada: Page
  const asked: Request[] = []
  const nodes = () => ada.evaluate<number>('document.querySelectorAll("*").length')
  const scrollToEnd = (around: string) =>
    ada.evaluate(`document.querySelector('${around} [data-scroller]').scrollTo(0, 1e7)`)
  const heading = (name: string) => ada.getByRole('heading', { level: 1, name, exact: true })
  const sidebar = () => ada.getByRole('navigation', { name: shell.sidebar })
  const field = () => ada.getByRole('textbox', { name: composerTexts.en.message('General') })

  beforeAll(async () => {
    stage = await openStage()
    team = await openTeam(stage)
    const { organizationId: org, adaId, benId, general } = team
    await stage.query(`
      insert into profiles (org_id, id, kind, name, status, created_at, updated_at, email, email_key)
      select '${org}', gen_random_uuid()::text, 'user', 'Member ' || n, 'Active', 1000 + n, 1, n || '@example.com', n || '@example.com'
      from generate_series(1, ${MEMBERS}) n;
      insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
      select '${org}', '${general}', id, 1, 1 from profiles where org_id = '${org}' on conflict do nothing;
      with made as (
        insert into topics (org_id, id, name, created_by, created_at, updated_at)
        select '${org}', gen_random_uuid(), 'Team ' || n, '${adaId}', n, n from generate_series(1, ${TOPICS}) n returning id, created_at
      )
      insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
      select '${org}', id, who, created_at, created_at from made, unnest(array['${adaId}', '${benId}']) who;
      analyze profiles, topics, topic_members`)
    await team.chat(team.ben, 'POST', 'messages', { topicId: general, text: 'Good morning' })
    ada = await team.ada.newPage()
    ada.setDefaultTimeout(PATIENCE_MS)
    ada.on('request', (request) => asked.push(request))
    await ada.goto(`/t/${general}`)
    await ada.getByText('Good morning').first().waitFor()
  })
  afterAll(() => stage?.close())

  const pathsOf = (part: string) => asked.map((one) => one.url()).filter((url) => url.includes(part))

  test('opens with the one conversation, and lists all topics in few nodes', async () => {
    await heading('General').waitFor()
    const list = sidebar().getByRole('region', { name: shell.topics, exact: true })
    await list.getByRole('listitem').first().waitFor()
    const listed = async () => Number(await list.getByRole('listitem').first().getAttribute('aria-setsize'))
    await eventually(listed).toBeGreaterThanOrEqual(TOPICS)
    expect(await nodes()).toBeLessThan(MAX_NODES)
    expect(pathsOf('/members?limit'), 'nobody asks for all members').toEqual([])
    const linkTo = (name: string) => sidebar().getByRole('link', { name, exact: true })
    await linkTo('Team 1').waitFor()
    expect(await linkTo(`Team ${TOPICS}`).count(), 'only what is in sight is drawn').toBe(0)
    await scrollToEnd('nav')
    await linkTo(`Team ${TOPICS}`).waitFor()
    expect(await linkTo('Team 1').count(), 'only what is in sight is drawn').toBe(0)
    expect(await nodes()).toBeLessThan(MAX_NODES)
    await takePicture(ada, 'large-chat')
  })

  test('finds somebody to mention whom it has never seen', async () => {
    await field().click()
    await ada.keyboard.type(`Over to @member ${MEMBERS - 3}`)
    const option = ada.getByRole('option', { name: new RegExp(`Member ${MEMBERS - 3}`) })
    await option.waitFor()
    await ada.keyboard.press('Enter')
    await ada.keyboard.type(' now')
    await ada.keyboard.press('Enter')
    await ada
      .getByRole('log')
      .getByText(`@Member ${MEMBERS - 3}`)
      .waitFor()
  })

  test('shows who says something, though nobody has told it who that is', async () => {
    const before = pathsOf('/members?ids=').length
    const { members } = await team.chat(team.ben, 'GET', `members?search=member%207&limit=1`)
    const [someone] = Object(members)
    await team.chat(team.ben, 'POST', 'messages', { topicId: team.general, text: `Ask <@${someone.id}>` })
    await ada.getByRole('log').getByText(`@${someone.name}`).waitFor()
    expect(pathsOf('/members?ids=').length - before, 'asked once').toBeLessThan(2)
  })

  test('lists the members of a topic in few nodes, and finds one among them', async () => {
    await ada.goto(`/t/${team.general}?details=members`)
    const pane = ada.getByRole('complementary')
    await pane
      .getByRole('button', { name: /^Member 1$/ })
      .first()
      .waitFor()
    expect(await nodes()).toBeLessThan(MAX_NODES)
    await pane.getByRole('heading', { name: topicDetails.en.people(MEMBERS + 2) }).waitFor()
    await takePicture(ada, 'large-members')
    await pane.getByRole('searchbox', { name: topicDetails.en.filterMembers }).fill(`member ${MEMBERS - 1}`)
    await pane
      .getByRole('button', { name: `Member ${MEMBERS - 1}` })
      .first()
      .waitFor()
    await pane.getByRole('searchbox').fill('')
    await pane
      .getByRole('button', { name: /^Member 1$/ })
      .first()
      .waitFor()
    await scrollToEnd('aside')
    const pagesOfPeople = async () => pathsOf(`topicId=${team.general}&type=user&cursor=`).length
    await eventually(pagesOfPeople).toBeGreaterThan(0)
    expect(await nodes()).toBeLessThan(MAX_NODES)
  })

  test('goes to anybody by its palette', async () => {
    await ada.keyboard.press('Control+k')
    const palette = ada.getByRole('dialog', { name: shellPlaces.en.palette.title })
    await palette.getByRole('option').first().waitFor()
    await ada.keyboard.type(`member ${MEMBERS - 5}`)
    await palette.getByRole('option', { name: new RegExp(`Member ${MEMBERS - 5}`) }).waitFor()
    await ada.keyboard.press('Enter')
    await heading(`Member ${MEMBERS - 5}`).waitFor()
  })

  test('offers topics for a new bot by searching', async () => {
    await ada.goto(`/console/${team.organizationId}/bots/new`)
    const topics = ada.getByRole('combobox', { name: botTexts.en.topics.legend })
    await topics.waitFor()
    expect(await nodes()).toBeLessThan(MAX_NODES)
    await topics.fill(`team ${TOPICS}`)
    await ada.getByRole('option', { name: `Team ${TOPICS}` }).click()
    await takePicture(ada, 'large-new-bot')
  })
})
