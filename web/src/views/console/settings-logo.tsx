import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { OrganizationSettings, removeLogo } from '../../../../contract/people/organization.ts'
import { call, upload } from '../../api/call.ts'
import { useMembership } from '../../api/session.ts'
import { sessionState } from '../../api/session-state.ts'
import { settings as texts } from '../../texts/settings.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button, Notice } from '../../ui/controls.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useChanged } from './changes.ts'

export function Logo({ settings }: { settings: OrganizationSettings }) {
  const t = useTexts(texts).logo
  const toast = useToast()
  const changed = useChanged()
  const { organizationId } = useMembership()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isTooLarge, setTooLarge] = useState(false)

  const done = (text: string) => {
    changed('organization')
    void sessionState.read()
    toast(text)
  }
  const setting = useMutation({
    mutationFn: (file: File) =>
      upload<OrganizationSettings>(`/people/organizations/${organizationId}/logo`, file),
    onSuccess: () => done(t.saved),
  })
  const removal = useMutation({
    mutationFn: () =>
      call<typeof removeLogo>('DELETE', '/people/organizations/{organizationId}/logo', {
        params: { organizationId },
      }),
    onSuccess: () => done(t.removed),
  })
  const choose = (file: File | undefined) => {
    // So that the same file can be chosen again after it was mended.
    if (input.current) input.current.value = ''
    if (!file) return
    removal.reset()
    setting.reset()
    setTooLarge(file.size > LIMITS.logoBytes)
    if (file.size <= LIMITS.logoBytes) setting.mutate(file)
  }
  const error = setting.error ?? removal.error
  return (
    <>
      {settings.logoUrl === undefined ? (
        <p>{t.none}</p>
      ) : (
        <img className="logo" src={settings.logoUrl} alt={t.current} />
      )}
      {error && <ErrorState error={error} />}
      {isTooLarge && (
        <Notice tone="bad">
          <p>{t.tooLarge}</p>
        </Notice>
      )}
      <div className="actions">
        <label className="button" htmlFor={id} aria-busy={setting.isPending || undefined}>
          {t.choose}
          <input
            ref={input}
            id={id}
            className="hidden"
            type="file"
            accept="image/png,image/jpeg"
            disabled={setting.isPending}
            onChange={(event) => choose(event.target.files?.[0])}
          />
        </label>
        {settings.logoUrl !== undefined && (
          <Button look="danger" busy={removal.isPending} onClick={() => removal.mutate()}>
            {t.remove}
          </Button>
        )}
      </div>
    </>
  )
}
