import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type { listPeople } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Combobox } from '../../../kit/combobox.tsx'
import { Face } from '../../../kit/face.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions, Facts } from '../../../kit/layout.tsx'
import { Name, named } from '../../../kit/name.tsx'
import { ErrorNotice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useRested } from '../changes.ts'
import { useUpdateBot } from './bot-data.ts'

const OFFERED = 20

type Person = { id: string; name: string; email: string; type: 'user' }

/** People are searched for by the server, since there may be ten thousand. */
function usePeople(search: string): readonly Person[] {
  const { organizationId } = useMembership()
  const { data } = useQuery({
    queryKey: keys.of(organizationId, 'member', 'candidates', search),
    queryFn: () =>
      call<typeof listPeople>('GET', '/people/organizations/{organizationId}/members', {
        params: { organizationId },
        query: { search, status: 'Active', sort: 'name', limit: OFFERED },
      }),
    placeholderData: keepPreviousData,
  })
  return (data?.members ?? []).map(({ id, name, email }) => ({ id, name, email, type: 'user' as const }))
}

/** The person who answers for a bot. */
export function Owner({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).owner
  const update = useUpdateBot(bot.id)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<readonly Person[]>([])
  const people = usePeople(useRested(typed.trim()))
  const [owner] = chosen
  const save = () => {
    if (!owner) return
    update.mutate(
      { ownerId: owner.id },
      {
        onSuccess: () => {
          setChosen([])
          showToast({ text: t.done(named(owner.name)) })
        },
      },
    )
  }
  return (
    <Card title={t.title} about={t.about}>
      <Facts>
        <dt>{t.now}</dt>
        <dd>{bot.ownerName === undefined ? t.nobody : <Name text={bot.ownerName} />}</dd>
      </Facts>
      <Combobox
        label={t.label}
        placeholder={t.placeholder}
        items={people}
        chosen={chosen}
        onChange={setChosen}
        onSearch={setTyped}
        mark={(person, size) => <Face member={person} size={size} />}
        note={({ email }) => email}
        max={1}
      />
      {update.isError && <ErrorNotice error={update.error} />}
      <Actions>
        <Button busy={update.isPending} disabled={!owner} onClick={save}>
          {t.change}
        </Button>
      </Actions>
    </Card>
  )
}
