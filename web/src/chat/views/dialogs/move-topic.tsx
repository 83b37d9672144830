import { FolderPlus } from 'lucide-react'
import { Dialog, DialogBody } from '../../../kit/dialog.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { sections as texts } from '../../../texts/sections.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { mayStandIn, sectionIdOf } from '../../store/sections.ts'
import { nameOf, sidebarSections } from '../../store/selectors.ts'
import { useAttempt } from '../frame/attempt.ts'
import { useOverlay } from '../frame/overlay.ts'
import { useSectionName } from '../frame/section-names.ts'
import styles from './dialogs.module.css'

/** Moves a conversation to one of the sections, or to a new one. */
export default function MoveTopic({ topicId, onClose }: { topicId: string; onClose: () => void }) {
  const t = useTexts(texts)
  const k = useTexts(kit)
  const open = useOverlay()
  const attempt = useAttempt()
  const actions = useChatActions()
  const nameOfSection = useSectionName()
  const topic = useChat(({ topics }) => topics.get(topicId))
  const name = useChat((state) => (topic ? nameOf(state, topic) : ''))
  const groups = useChat((state) => sidebarSections(state).groups)
  const present = useChat(({ sections }) => (topic ? sectionIdOf(topic, sections) : ''))
  if (!topic) return null
  const move = async (sectionId: string, section: string) => {
    onClose()
    if (sectionId === present) return
    if (!(await attempt(() => actions.moveToSection(topicId, sectionId)))) return
    showToast({
      text: t.moved(named(name), named(section)),
      action: {
        label: k.undo,
        onAct: () => void attempt(() => actions.moveToSection(topicId, present)),
      },
    })
  }
  return (
    <Dialog title={t.moveTitle(named(name))} onClose={onClose} size="small">
      <DialogBody>
        <ul className={styles.places}>
          {groups.map(({ section }) => {
            const title = nameOfSection(section)
            if (!mayStandIn(topic, section.id)) return null
            return (
              <li key={section.id}>
                <button
                  type="button"
                  className={styles.place}
                  aria-current={section.id === present || undefined}
                  onClick={() => void move(section.id, title)}
                >
                  <bdi>{title}</bdi>
                  {section.id === present && <span className={styles.note}>{t.isThere}</span>}
                </button>
              </li>
            )
          })}
          <li>
            <button type="button" className={styles.place} onClick={() => open({ kind: 'section', topicId })}>
              <Icon icon={FolderPlus} size={18} />
              {t.create}
            </button>
          </li>
        </ul>
      </DialogBody>
    </Dialog>
  )
}
