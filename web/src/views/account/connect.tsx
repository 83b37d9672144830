import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { LIMITS } from '../../../../contract/limits.ts'
import type {
  AssistantLook,
  connectAssistant,
  lookAtAssistant,
} from '../../../../contract/people/assistants.ts'
import type { Membership, Session } from '../../../../contract/people/session.ts'
import type { PersonScope } from '../../../../contract/scopes.ts'
import { call, Refused } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { signOut } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/choice.tsx'
import { useErrorText } from '../../kit/error-text.ts'
import { SelectField } from '../../kit/field.tsx'
import { Card, Form } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Actions, FieldGroup, Quiet } from '../../kit/layout.tsx'
import { named } from '../../kit/name.tsx'
import { Notice } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { showToast } from '../../kit/toast.tsx'
import { assistants } from '../../texts/assistants.ts'
import { useTexts } from '../../texts/texts.ts'
import { Entrance } from './entrance.tsx'
import { isBlocked, NeedsNotice } from './needs.tsx'

type Account = NonNullable<Session['account']>
type Asks = NonNullable<AssistantLook['asks']>

/**
 * The consent page. A program that wants to act for a person sends their browser here, and gets it back with the
 * decision.
 */
export default function Connect({ session }: { session: Session }) {
  const t = useTexts(assistants).consent
  const request = window.location.search.slice(1)
  const look = useQuery({
    queryKey: [...keys.account, 'asked', request],
    queryFn: () => call<typeof lookAtAssistant>('POST', '/people/assistants/look', { body: { request } }),
    enabled: session.account !== null,
    retry: false,
  })
  if (!session.account) return <Redirect to={signInAddress()} replace />
  const { account } = session
  return (
    <Entrance>
      {look.error instanceof Refused ? (
        <Unknown error={look.error} />
      ) : (
        <Loaded query={look}>
          {(data) =>
            data.asks ? (
              <Decision asks={data.asks} look={data} account={account} request={request} />
            ) : (
              <>
                <PageHead title={t.wrong.title} about={t.wrong.text(data.problem ?? '')} />
                <Actions>
                  <Button onClick={() => leaveTo(data.returnTo)}>{t.wrong.back(data.host)}</Button>
                </Actions>
              </>
            )
          }
        </Loaded>
      )}
    </Entrance>
  )
}

const signInAddress = (): string =>
  `/sign-in?to=${encodeURIComponent(window.location.pathname + window.location.search)}`

/** Goes to another server, or to a program on this device. */
const leaveTo = (address: string): void => window.location.assign(address)

/** Shown for a request of an unknown program. It redirects nowhere. */
function Unknown({ error }: { error: Refused }) {
  const t = useTexts(assistants).consent
  const errorText = useErrorText()
  return <PageHead title={t.wrong.title} about={errorText(error)} />
}

function Decision({
  asks,
  look,
  account,
  request,
}: {
  asks: Asks
  look: AssistantLook
  account: Account
  request: string
}) {
  const t = useTexts(assistants).consent
  const allowed = account.memberships.filter(({ organizationId }) =>
    asks.organizationIds.includes(organizationId),
  )
  const [first] = allowed
  const goesTo = look.isOnDevice ? t.goesToDevice(look.host) : t.goesTo(look.host)
  return (
    <>
      <PageHead title={t.title(named(asks.name))} about={t.about(account.email)} />
      {asks.isVerified ? (
        <Notice tone="good">
          <p>{t.verified(look.host)}</p>
        </Notice>
      ) : (
        <Notice tone="warn">
          <p>{t.unverified}</p>
          <p>{goesTo}</p>
        </Notice>
      )}
      {first ? (
        <Card>
          <ConsentForm asks={asks} look={look} request={request} organizations={allowed} first={first} />
        </Card>
      ) : (
        <NotPossible account={account} returnTo={look.returnTo} />
      )}
    </>
  )
}

/** No organization can be chosen: each says what it needs first, or does not allow assistants at all. */
function NotPossible({ account, returnTo }: { account: Account; returnTo: string }) {
  const t = useTexts(assistants).consent
  const blocked = account.memberships.filter(isBlocked)
  return (
    <>
      {blocked.map((membership) => (
        <NeedsNotice key={membership.organizationId} membership={membership} />
      ))}
      {blocked.length === 0 && (
        <Notice>
          <p>{t.notAllowed}</p>
        </Notice>
      )}
      <Actions>
        <Button onClick={() => leaveTo(returnTo)}>{t.refuse}</Button>
      </Actions>
    </>
  )
}

function ConsentForm({
  asks,
  look,
  request,
  organizations,
  first,
}: {
  asks: Asks
  look: AssistantLook
  request: string
  organizations: readonly Membership[]
  first: Membership
}) {
  const t = useTexts(assistants).consent
  const words = useTexts(assistants).scopes
  const [organizationId, setOrganization] = useState(first.organizationId)
  const [scopes, setScopes] = useState<readonly PersonScope[]>(asks.scopes)
  const [days, setDays] = useState<string>('30')
  const [isLeaving, setLeaving] = useState(false)
  const [isStale, setStale] = useState(false)
  const form = useForm<'scopes', { returnTo: string } | undefined>({
    check: () => ({ scopes: scopes.length === 0 && t.nothingChosen }),
    send: () =>
      call<typeof connectAssistant>('POST', '/people/organizations/{organizationId}/assistants', {
        params: { organizationId },
        body: {
          request,
          scopes: [...scopes],
          days: LIMITS.assistantDays.find((count) => String(count) === days) ?? 30,
        },
      }).catch((error: unknown) => {
        if (error instanceof Refused && error.code === 'sign_in_again_required') return undefined
        throw error
      }),
    onDone: (answer) => {
      if (!answer) return setStale(true)
      setLeaving(true)
      leaveTo(answer.returnTo)
    },
  })
  if (isStale) return <SignInAgain />
  return (
    <Form
      form={form}
      actions={
        <>
          <Button submit look="primary" busy={form.busy || isLeaving}>
            {t.connect}
          </Button>
          <Button onClick={() => leaveTo(look.returnTo)}>{t.refuse}</Button>
        </>
      }
    >
      <SelectField
        label={t.organization}
        options={organizations.map(
          (membership) => [membership.organizationId, membership.organizationName] as const,
        )}
        value={organizationId}
        onChange={setOrganization}
      />
      <FieldGroup legend={t.mayDo} mistake={form.mistake('scopes')}>
        {asks.scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={words[scope]}
            isOn={scopes.includes(scope)}
            onChange={(isOn) =>
              setScopes(asks.scopes.filter((other) => (other === scope ? isOn : scopes.includes(other))))
            }
          />
        ))}
      </FieldGroup>
      <SelectField
        label={t.ends}
        options={LIMITS.assistantDays.map((count) => [String(count), t.days(count)] as const)}
        value={days}
        onChange={setDays}
      />
      <Quiet small>{t.effect}</Quiet>
    </Form>
  )
}

/** A connection outlives this session, so finding a session open is not enough to make one. */
function SignInAgain() {
  const t = useTexts(assistants).consent
  const errorText = useErrorText()
  const [, navigate] = useLocation()
  const again = () => {
    const address = signInAddress()
    signOut()
      .then(() => navigate(address))
      .catch((error: unknown) => showToast({ text: errorText(error), tone: 'bad' }))
  }
  return (
    <>
      <Notice>
        <p>{t.confirmYourself}</p>
      </Notice>
      <Actions>
        <Button look="primary" onClick={again}>
          {t.signInAgain}
        </Button>
      </Actions>
    </>
  )
}
