import { type ReactNode, useState } from 'react'
import type { AnswerOf } from '../../../../../contract/operation.ts'
import type { ConsoleBot, checkSignature } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Choices } from '../../../kit/choice.tsx'
import { Code, Pre, Secret } from '../../../kit/copy.tsx'
import { Field, SelectField, TextArea } from '../../../kit/field.tsx'
import { Card, Form, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Quiet, Stack } from '../../../kit/layout.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import styles from './bots.module.css'

type Kind = 'request' | 'webhook'
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Checked = AnswerOf<typeof checkSignature>['body']

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

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
      <Card title={t.title} about={t.about}>
        <Form
          form={form}
          actions={
            <Button look="primary" submit busy={form.busy}>
              {t.check}
            </Button>
          }
        >
          {signsRequests ? (
            <Choices
              label={t.kind}
              value={kind}
              onChange={(chosen) => {
                setChecked(undefined)
                setKind(chosen)
              }}
              options={[
                { value: 'request', label: t.request, about: t.requestHint },
                { value: 'webhook', label: t.webhook, about: t.webhookHint },
              ]}
            />
          ) : (
            <Notice>
              <p>{t.oauth}</p>
            </Notice>
          )}
          {isRequest && (
            <>
              <SelectField
                label={t.version}
                options={[
                  ['1', t.version1],
                  ['2', t.version2],
                ]}
                value={version === 2 ? '2' : '1'}
                onChange={(chosen) => {
                  setChecked(undefined)
                  setVersion(chosen === '2' ? 2 : 1)
                }}
              />
              <SelectField
                label={t.method}
                options={METHODS.map((one) => [one, one] as const)}
                value={method}
                onChange={(chosen) => set({ method: chosen })}
              />
            </>
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
                <TextArea
                  {...wiring}
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
      </Card>
      {checked && <Result checked={checked} />}
    </>
  )
}

function Result({ checked }: { checked: Checked }) {
  const t = useTexts(texts).signature
  const { signed, signedHex, expected, matches, hint } = checked
  const length = new TextEncoder().encode(signed).length
  return (
    <Card title={t.result}>
      {(matches !== undefined || hint !== undefined) && (
        <Notice tone={matches === false ? 'bad' : hint === undefined ? 'good' : 'warn'}>
          {matches !== undefined && <strong>{matches ? t.matches : t.differs}</strong>}
          {hint !== undefined && <p>{t.hints[hint]}</p>}
        </Notice>
      )}
      {expected === undefined ? (
        <Quiet>{t.expectedHidden}</Quiet>
      ) : (
        <Secret label={t.expected} value={expected} />
      )}
      <Stack tight>
        <h3>
          {t.signed}{' '}
          <Quiet small as="span">
            ({t.length(length)})
          </Quiet>
        </h3>
        <Quiet small>{t.signedHint}</Quiet>
        <Pre breaks>{visible(signed)}</Pre>
      </Stack>
      <Stack tight>
        <h3>{t.bytes}</h3>
        {signedHex.length / 2 < length && <Quiet small>{t.bytesCut}</Quiet>}
        <Code label={t.bytes} text={dump(signedHex)} copy={signedHex} />
      </Stack>
    </Card>
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
      <span key={place} className={piece === ' ' ? styles.space : styles.unseen}>
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
