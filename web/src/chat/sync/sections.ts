import type { setTopicState } from '../../../../contract/people/chat.ts'
import type { SidebarSection } from '../../../../contract/people/chat-records.ts'
import { BUILT_IN_SECTIONS } from '../../../../contract/people/section-names.ts'
import type {
  arrangeSection,
  createSection,
  deleteSection,
  updateSection,
} from '../../../../contract/people/sections.ts'
import type { ChatApi } from '../../api/chat.ts'
import type { ChatActions, ChatState, SectionChange } from '../model.ts'
import { putStates } from '../store/directory.ts'
import { standsIn, withoutSection, withSection } from '../store/sections.ts'
import { edited, type StateEdit } from '../store/state-edit.ts'
import type { ChatStore } from '../store/store.ts'
import { Queues } from './pacing.ts'

const PATH = '/sections/{sectionId}'

/** Changes the person's sections at once, and takes that back where the server refuses it. */
export function sectionActionsOf(
  store: ChatStore,
  api: ChatApi,
): Pick<
  ChatActions,
  'createSection' | 'updateSection' | 'deleteSection' | 'moveToSection' | 'arrangeSection'
> {
  const queues = new Queues()
  const edit = (change: (edit: StateEdit) => void) => store.update((state) => edited(state, change))

  /** Sends changes one after the other; a refused one gives sections, and these topics, back as they were. */
  async function optimistic<Told>(
    topicIds: readonly string[],
    change: (edit: StateEdit) => void,
    tell: () => Promise<Told>,
  ): Promise<Told> {
    const { sections, topics } = store.getSnapshot()
    edit(change)
    try {
      return await queues.run('sections', tell)
    } catch (error) {
      edit((one) => {
        one.sections = sections
        for (const id of topicIds) {
          const [before, now] = [topics.get(id), one.topics.get(id)]
          if (!before || !now) continue
          const { sectionId: _section, place: _place, ...rest } = now
          const { favourite, sectionId, place } = before
          one.topics.set(id, {
            ...rest,
            favourite,
            ...(sectionId !== undefined && { sectionId }),
            ...(place !== undefined && { place }),
          })
        }
      })
      throw error
    }
  }

  const put = (section: SidebarSection) =>
    edit((one) => {
      one.sections = withSection(one.sections, section)
    })

  return {
    async createSection(name) {
      const section = await api<typeof createSection>('POST', '/sections', { body: { name } })
      put(section)
      return section
    },

    async updateSection(sectionId, change: SectionChange) {
      const section = await optimistic(
        [],
        (one) => {
          const before = one.sections.find(({ id }) => id === sectionId)
          if (before) one.sections = withSection(one.sections, { ...before, ...plain(change) }, change.after)
        },
        () => api<typeof updateSection>('PATCH', PATH, { params: { sectionId }, body: change }),
      )
      put(section)
    },

    async deleteSection(sectionId) {
      await optimistic(
        idsIn(store.getSnapshot(), sectionId),
        (one) => withoutSection(one, sectionId),
        () => api<typeof deleteSection>('DELETE', PATH, { params: { sectionId } }),
      )
    },

    async moveToSection(topicId, sectionId) {
      const isOwn = !BUILT_IN_SECTIONS.some((id) => id === sectionId)
      const isFavourite = sectionId === 'favourites'
      const body = isOwn
        ? { sectionId }
        : { favourite: isFavourite, ...(!isFavourite && { sectionId: null }) }
      const told = await optimistic(
        [topicId],
        (one) => standsIn(one, topicId, sectionId),
        () => api<typeof setTopicState>('PATCH', '/topics/{topicId}/state', { params: { topicId }, body }),
      )
      edit((one) => putStates(one, [told]))
    },

    async arrangeSection(sectionId, topicIds) {
      const { states } = await optimistic(
        [...topicIds, ...idsIn(store.getSnapshot(), sectionId)],
        (one) => {
          const before = one.sections.find(({ id }) => id === sectionId)
          if (before) one.sections = withSection(one.sections, { ...before, order: 'hand' })
          for (const [place, id] of topicIds.entries()) standsIn(one, id, sectionId, place)
        },
        () =>
          api<typeof arrangeSection>('PATCH', `${PATH}/topics`, {
            params: { sectionId },
            body: { topicIds: [...topicIds] },
          }),
      )
      edit((one) => putStates(one, states))
    },
  }
}

const idsIn = ({ topics }: ChatState, sectionId: string): string[] =>
  [...topics.values()].flatMap((topic) => (topic.sectionId === sectionId ? topic.id : []))

function plain({ after: _after, ...change }: SectionChange): Partial<SidebarSection> {
  return change
}
