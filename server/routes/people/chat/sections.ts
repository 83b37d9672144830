import * as contract from '../../../../contract/people/sections.ts'
import {
  arrangeSection,
  createSection,
  deleteSection,
  updateSection,
} from '../../../actions/topics/sections.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentSection, presentTopicState } from '../../../presenters/chat.ts'
import { listSections } from '../../../queries/topics/sections.ts'

/** Serves the sections of the caller's list of conversations, which are private: their other browsers hear of each change. */
export function sectionRoutes(people: PeopleApi): void {
  people.acts(contract.createSection, async ({ caller, body, parley: { db, ephemeral } }) => {
    const { section, sections } = await db.writeBeside(caller, async (tx) => ({
      section: await createSection(tx, caller, body.name),
      sections: await presentSections(caller, tx),
    }))
    ephemeral.state(caller, { sections })
    return created(presentSection(section))
  })

  people.acts(contract.updateSection, async ({ caller, params, body, parley: { db, ephemeral } }) => {
    const { section, sections } = await db.writeBeside(caller, async (tx) => ({
      section: await updateSection(tx, caller, params.sectionId, body),
      sections: await presentSections(caller, tx),
    }))
    ephemeral.state(caller, { sections })
    return ok(presentSection(section))
  })

  people.acts(contract.deleteSection, async ({ caller, params, parley: { db, ephemeral } }) => {
    const { states, sections } = await db.writeBeside(caller, async (tx) => ({
      states: (await deleteSection(tx, caller, params.sectionId)).map(presentTopicState),
      sections: await presentSections(caller, tx),
    }))
    ephemeral.state(caller, { states, sections })
    return noContent()
  })

  people.acts(contract.arrangeSection, async ({ caller, params, body, parley: { db, ephemeral } }) => {
    const { states, sections } = await db.writeBeside(caller, async (tx) => ({
      states: (await arrangeSection(tx, caller, params.sectionId, body.topicIds)).map(presentTopicState),
      sections: await presentSections(caller, tx),
    }))
    ephemeral.state(caller, { states, sections })
    return ok({ states })
  })
}

const presentSections = async (caller: Caller, db: Queryable) =>
  (await listSections(caller, db)).map(presentSection)
