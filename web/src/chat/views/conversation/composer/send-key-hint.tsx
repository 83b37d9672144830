import { CTRL, Keys } from '../../../../kit/keys.tsx'
import { Menu } from '../../../../kit/menu.tsx'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { useTexts } from '../../../../texts/texts.ts'
import styles from './composer.module.css'
import { setSendKey, useSendKey } from './send-key.ts'

/** Says which key sends, and lets it be chosen. */
export function SendKeyHint() {
  const t = useTexts(composerTexts)
  const sendKey = useSendKey()
  const other = sendKey === 'enter' ? 'Shift Enter' : 'Enter'
  return (
    <Menu
      label={t.sendKey}
      side="top"
      align="end"
      entries={() => [
        {
          kind: 'choice',
          label: t.sendKey,
          value: sendKey,
          options: [
            ['enter', t.keyEnter],
            ['ctrl-enter', t.keyCtrlEnter(CTRL)],
          ],
          onChange: (value) => setSendKey(value === 'ctrl-enter' ? 'ctrl-enter' : 'enter'),
        },
      ]}
      trigger={(props) => (
        <button type="button" {...props} className={styles.hint}>
          <Keys keys={sendKey === 'enter' ? t.keyEnter : t.keyCtrlEnter(CTRL)} /> {t.sendsEnter},{' '}
          <Keys keys={other} /> {t.newLine}
        </button>
      )}
    />
  )
}
