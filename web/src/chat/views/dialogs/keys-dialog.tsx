import { Dialog, DialogBody } from '../../../kit/dialog.tsx'
import { CTRL, Keys } from '../../../kit/keys.tsx'
import { shellPlaces } from '../../../texts/shell-places.ts'
import { useTexts } from '../../../texts/texts.ts'
import styles from './dialogs.module.css'

/** All keys, by where they work. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(shellPlaces).keyList
  const groups: [title: string, keys: [what: string, ...keys: string[]][]][] = [
    [
      t.anywhere,
      [
        [t.palette, `${CTRL} K`],
        [t.next, 'Alt ↓'],
        [t.previous, 'Alt ↑'],
        [t.nextUnread, 'Alt Shift ↓'],
        [t.previousUnread, 'Alt Shift ↑'],
        [t.moveTo, 'M'],
        [t.moveRow, `${CTRL} Shift ↑`, `${CTRL} Shift ↓`],
        [t.close, 'Esc'],
        [t.help, '?'],
      ],
    ],
    [
      t.conversation,
      [
        [t.move, '↑', '↓'],
        [t.reply, 'T'],
        [t.quote, 'Q'],
        [t.edit, 'E'],
        [t.react, 'R'],
        [t.unread, 'U'],
        [t.copyLink, 'C'],
        [t.select, 'X'],
        [t.selectTo, 'Shift X'],
      ],
    ],
    [
      t.writing,
      [
        [t.send, 'Enter'],
        [t.newLine, 'Shift Enter'],
        [t.editLast, '↑'],
        [t.bold, `${CTRL} B`],
        [t.italic, `${CTRL} I`],
        [t.code, `${CTRL} E`],
        [t.mention, '@'],
        [t.topicLink, '#'],
        [t.emoji, ':'],
      ],
    ],
  ]
  return (
    <Dialog title={t.title} onClose={onClose} size="wide">
      <DialogBody>
        <div className={styles.keys}>
          {groups.map(([title, keys]) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {keys.map(([what, ...combinations]) => (
                  <div key={what} className={styles.key}>
                    <dt>{what}</dt>
                    <dd>
                      {combinations.map((combination) => (
                        <Keys key={combination} keys={combination} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogBody>
    </Dialog>
  )
}
