import { type ReactNode, useState } from 'react'
import type { AnswerOf } from '../../../../../contract/operation.ts'
import type { ConsoleBot, checkSignature } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Button, Choices, Field, Notice } from '../../../ui/controls.tsx'
import { Code, Secret } from '../../../ui/copy.tsx'
import { Form, TextField, useForm } from '../../../ui/form.tsx'

type Kind = 'request' | 'webhook'
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Checked = AnswerOf<typeof checkSignature>['body']

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const methodFrom = (text: string): Method => METHODS.find((method) => method === text) ?? 'GET'

const EMPTY = { method: 'GET' as Method, target: '', timestamp: '', nonce: '', body: '', signature: '' }

export function SignatureTab({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).signature
  const { organizationId } = useMembership()
  const signsRequests = bot.credential === 'static'
  const [kind, setKind] = useState<Kind>(signsRequests && bot.delivery === 'polling' ? 'request' : 'webhook')
  const [version, setVersion] = useState<1 | 2>(bot.signatureVersion ?? 1)
  const [entered, setEntered] = useState(EMPTY)
  const [checked, setChecked] = useState<Checked>()
  const set = (change: Partial<typeof EMPTY>) => {
    setChecked(undefined)
    setEntered({ ...entered, ...change })
  }
  const { method, target, timestamp, nonce, body, signature } = entered
  const isRequest = kind === 'request'
  const isWhole = isRequest && version === 2
  const isRead = isRequest && method === 'GET'
  const hasTarget = isRead || isWhole

  const form = useForm({
    check: () => ({
      target: hasTarget && target.trim() === '' && t.targetRequired,
      timestamp: timestamp.trim() === '' && t.timestampRequired,
      nonce: isWhole && nonce.trim() === '' && t.nonceRequired,
    }),
    send: () =>
      call<typeof checkSignature>(
        'POST',
        '/people/organizations/{organizationId}/bots/{botId}/signature-check',
        {
          params: { organizationId, botId: bot.id },
          body: {
            kind,
            ...(isRequest && { method, version }),
            ...(isWhole && { nonce: nonce.trim() }),
            ...(hasTarget && { target: target.trim() }),
            timestamp: timestamp.trim(),
            ...(!isRead && { body }),
            ...(signature.trim() !== '' && { signature: signature.trim() }),
          },
        },
      ),
    onDone: setChecked,
  })

  return (
    <>
      <section className="card padded" aria-labelledby="signature-check">
        <h2 id="signature-check">{t.title}</h2>
        <p className="soft measure">{t.about}</p>
        <Form
          form={form}
          actions={
            <Button look="primary" type="submit" busy={form.busy}>
              {t.check}
            </Button>
          }
        >
          {signsRequests ? (
            <Choices
              legend={t.kind}
              name="kind"
              value={kind}
              onChange={(chosen) => {
                setChecked(undefined)
                setKind(chosen)
              }}
              choices={[
                { value: 'request', label: t.request, hint: t.requestHint },
                { value: 'webhook', label: t.webhook, hint: t.webhookHint },
              ]}
            />
          ) : (
            <Notice>{t.oauth}</Notice>
          )}
          {isRequest && (
            <Field label={t.version}>
              {(wiring) => (
                <select
                  {...wiring}
                  value={version}
                  onChange={(event) => {
                    setChecked(undefined)
                    setVersion(event.target.value === '2' ? 2 : 1)
                  }}
                >
                  <option value={1}>{t.version1}</option>
                  <option value={2}>{t.version2}</option>
                </select>
              )}
            </Field>
          )}
          {isRequest && (
            <Field label={t.method}>
              {(wiring) => (
                <select
                  {...wiring}
                  value={method}
                  onChange={(event) => set({ method: methodFrom(event.target.value) })}
                >
                  {METHODS.map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {hasTarget && (
            <TextField
              label={t.target}
              hint={t.targetHint}
              mistake={form.mistake('target')}
              required
              autoComplete="off"
              spellCheck={false}
              maxLength={8192}
              value={target}
              onChange={(text) => set({ target: text })}
            />
          )}
          <TextField
            label={t.timestamp}
            hint={isRequest ? t.requestTimestamp : t.webhookTimestamp}
            mistake={form.mistake('timestamp')}
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={20}
            value={timestamp}
            onChange={(text) => set({ timestamp: text })}
          />
          {isWhole && (
            <TextField
              label={t.nonce}
              hint={t.nonceHint}
              mistake={form.mistake('nonce')}
              required
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={nonce}
              onChange={(text) => set({ nonce: text })}
            />
          )}
          {!isRead && (
            <Field label={t.body} hint={t.bodyHint}>
              {(wiring) => (
                <textarea
                  {...wiring}
                  className="mono"
                  rows={6}
                  spellCheck={false}
                  value={body}
                  onChange={(event) => set({ body: event.target.value })}
                />
              )}
            </Field>
          )}
          <TextField
            label={t.signature}
            hint={t.signatureHint}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={signature}
            onChange={(text) => set({ signature: text })}
          />
        </Form>
      </section>
      {checked && <Result checked={checked} />}
    </>
  )
}

function Result({ checked }: { checked: Checked }) {
  const t = useTexts(texts).signature
  const { signed, signedHex, expected, matches, hint } = checked
  const length = new TextEncoder().encode(signed).length
  return (
    <section className="card padded appear" aria-labelledby="signature-result">
      <h2 id="signature-result">{t.result}</h2>
      {(matches !== undefined || hint !== undefined) && (
        <Notice tone={matches === false ? 'bad' : hint === undefined ? 'good' : 'warn'}>
          {matches !== undefined && <strong>{matches ? t.matches : t.differs}</strong>}
          {hint !== undefined && <p>{t.hints[hint]}</p>}
        </Notice>
      )}
      {expected === undefined ? (
        <p className="soft measure">{t.expectedHidden}</p>
      ) : (
        <Secret label={t.expected} value={expected} />
      )}
      <div className="stack tight">
        <h3>
          {t.signed} <span className="soft small">({t.length(length)})</span>
        </h3>
        <p className="soft small">{t.signedHint}</p>
        <div className="code">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keyboards must be able to */}
          <pre className="breaks" tabIndex={0}>
            {visible(signed)}
          </pre>
        </div>
      </div>
      <div className="stack tight">
        <h3>{t.bytes}</h3>
        {signedHex.length / 2 < length && <p className="soft small">{t.bytesCut}</p>}
        <Code label={t.bytes} text={dump(signedHex)} copy={signedHex} />
      </div>
    </section>
  )
}

const MARKS: Record<string, string> = { ' ': '·', '\t': '→', '\n': '↵', '\r': '␍' }

/** Spaces, breaks and everything else that leaves no trace on paper, as marks. */
function visible(text: string): ReactNode[] {
  const pieces = text.split(/([\s\p{Cc}\p{Cf}])/u)
  return pieces.map((piece, place) => {
    if (place % 2 === 0) return piece
    const mark =
      MARKS[piece] ?? `U+${(piece.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
      <span key={place} className={piece === ' ' ? 'soft' : 'unseen'}>
        {mark}
        {piece === '\n' && '\n'}
      </span>
    )
  })
}

const ROW_BYTES = 16

/** Rows of bytes with their place in front and what they say behind; a dot where that is no plain character. */
function dump(hex: string): string {
  const bytes = hex.match(/../g) ?? []
  const rows: string[] = []
  for (let start = 0; start < bytes.length; start += ROW_BYTES) {
    const row = bytes.slice(start, start + ROW_BYTES)
    const said = row.map((byte) => {
      const code = Number.parseInt(byte, 16)
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.'
    })
    const place = start.toString(16).padStart(4, '0')
    rows.push(`${place}  ${row.join(' ').padEnd(ROW_BYTES * 3 - 1)}  ${said.join('')}`)
  }
  return rows.join('\n')
}
