import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type { listRehearsals, Rehearsal, startRehearsal } from '../../../../../contract/people/rehearsals.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Code, Secret } from '../../../kit/copy.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { Card, FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Actions, Quiet, Stack } from '../../../kit/layout.tsx'
import { useAskBeforeLeaving } from '../../../kit/leaving.ts'
import { named } from '../../../kit/name.tsx'
import { Notice, StateMark, type Tone } from '../../../kit/notice.tsx'
import { useFocusAtFirst } from '../../../kit/page.tsx'
import { RowName } from '../../../kit/row-name.tsx'
import { Empty, Loaded } from '../../../kit/states.tsx'
import { TableRows } from '../../../kit/table-rows.tsx'
import { Time } from '../../../kit/time.tsx'
import { rehearsals as texts } from '../../../texts/rehearsals.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotPath, useBotsChanged } from './bot-data.ts'
import { Comparison } from './comparison.tsx'
import { shellQuoted } from './snippets.ts'

/** No word of the stream says how far a rehearsal has come: while it is looked at, it is read again. */
export const LOOK_AGAIN_MS = 3000
const TONES: Record<Rehearsal['state'], Tone> = { running: 'warn', over: 'good', expired: 'plain' }
const DAYS = Array.from({ length: LIMITS.rehearsalDays }, (_, day) => LIMITS.rehearsalDays - day)

type Started = { rehearsal: Rehearsal; token: string }

/** The rehearsals of a bot; one of them with its comparison, where the address of the page names it. */
export function RehearsalsTab({ bot }: { bot: ConsoleBot }) {
  const { organizationId } = useMembership()
  const [search] = useSearchParams()
  const query = useQuery({
    queryKey: keys.of(organizationId, 'bot', bot.id, 'rehearsals'),
    queryFn: () =>
      call<typeof listRehearsals>('GET', '/people/organizations/{organizationId}/bots/{botId}/rehearsals', {
        params: { organizationId, botId: bot.id },
      }),
    refetchInterval: LOOK_AGAIN_MS,
  })
  return (
    <Loaded query={query}>
      {({ rehearsals }) => {
        const chosen = rehearsals.find(({ id }) => id === search.get('rehearsal'))
        return chosen ? (
          <Comparison key={chosen.id} bot={bot} rehearsal={chosen} />
        ) : (
          <Rehearsals bot={bot} rehearsals={rehearsals} />
        )
      }}
    </Loaded>
  )
}

function Rehearsals({ bot, rehearsals }: { bot: ConsoleBot; rehearsals: readonly Rehearsal[] }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const [isAdding, setAdding] = useState(false)
  const [started, setStarted] = useState<Started>()
  if (started) return <Token started={started} onClose={() => setStarted(undefined)} />
  return (
    <Card
      title={t.title}
      isWide
      about={t.about}
      actions={
        <Actions>
          <Button look="primary" size="small" disabled={!bot.active} onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        </Actions>
      }
    >
      {rehearsals.length === 0 ? (
        <Empty title={t.empty}>{t.emptyText}</Empty>
      ) : (
        <TableRows
          label={t.title}
          rows={rehearsals}
          nameOf={({ name }) => name || t.unnamed}
          columns={[
            {
              label: t.columns.name,
              cell: ({ id, name }) => (
                <RowName name={name || t.unnamed} to={`${botPath(bot.id, 'rehearsals')}?rehearsal=${id}`} />
              ),
            },
            {
              label: t.columns.state,
              width: '18%',
              cell: ({ state }) => <StateMark tone={TONES[state]}>{t.states[state]}</StateMark>,
            },
            { label: t.columns.events, width: '12%', isNumber: true, cell: ({ events }) => String(events) },
            { label: t.columns.by, width: '22%', cell: ({ startedByName }) => named(startedByName) },
            { label: t.columns.created, width: '18%', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      )}
      {isAdding && (
        <NewRehearsal
          bot={bot}
          onStarted={(answer) => {
            setAdding(false)
            setStarted(answer)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}

function NewRehearsal({
  bot,
  onStarted,
  onClose,
}: {
  bot: ConsoleBot
  onStarted: (started: Started) => void
  onClose: () => void
}) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const [name, setName] = useState('')
  const [days, setDays] = useState(String(LIMITS.rehearsalDays))
  const form = useForm<'name', Started>({
    check: () => ({ name: false }),
    fields: { name: 'name' },
    send: () =>
      call<typeof startRehearsal>('POST', '/people/organizations/{organizationId}/bots/{botId}/rehearsals', {
        params: { organizationId, botId: bot.id },
        body: { ...(name.trim() !== '' && { name: name.trim() }), days: Number(days) },
      }),
    onDone: (started) => {
      onStarted(started)
      void changed()
    },
  })
  return (
    <FormDialog form={form} title={t.add} action={t.create} onClose={onClose}>
      <TextField
        label={t.name}
        hint={t.nameHint}
        mistake={form.mistake('name')}
        maxLength={LIMITS.rehearsalName}
        value={name}
        onChange={setName}
      />
      <SelectField
        label={t.days}
        options={DAYS.map((day) => [String(day), t.dayCount(day)] as const)}
        value={days}
        onChange={setDays}
      />
      <Quiet small>{t.heard}</Quiet>
    </FormDialog>
  )
}

/** The only sight of a token. */
function Token({ started, onClose }: { started: Started; onClose: () => void }) {
  const t = useTexts(texts)
  const heading = useFocusAtFirst<HTMLHeadingElement>()
  const [isCopied, setCopied] = useState(false)
  const copied = () => setCopied(true)
  useAskBeforeLeaving(!isCopied, t.leave)
  const command = `export PARLEY_URL=${shellQuoted(window.location.origin)}
export PARLEY_REHEARSAL=${shellQuoted(started.token)}
node bot.mjs`
  return (
    <Card title={named(started.rehearsal.name || t.unnamed)} heading={heading}>
      <Stack>
        <Notice tone="warn">
          <strong>{t.once}</strong>
          <p>{t.onceMore}</p>
        </Notice>
        <Secret label={t.token} value={started.token} onCopied={copied} />
        <Stack tight>
          <h2>{t.run}</h2>
          <Quiet>{t.runText}</Quiet>
          <Code label={t.run} text={command} onCopied={copied} />
        </Stack>
        <Actions>
          <Button look="primary" onClick={onClose}>
            {t.stored}
          </Button>
        </Actions>
      </Stack>
    </Card>
  )
}
