import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { OrganizationSettings, removeLogo } from '../../../../contract/people/organization.ts'
import { call, upload } from '../../api/call.ts'
import { useMembership } from '../../api/session.ts'
import { sessionState } from '../../api/session-state.ts'
import { Button, FileButton } from '../../kit/button.tsx'
import { Actions } from '../../kit/layout.tsx'
import { ErrorNotice, Notice } from '../../kit/notice.tsx'
import { showToast } from '../../kit/toast.tsx'
import { settings as texts } from '../../texts/settings.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged } from './changes.ts'
import styles from './settings.module.css'

export function Logo({ settings }: { settings: OrganizationSettings }) {
  const t = useTexts(texts).logo
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [isTooLarge, setTooLarge] = useState(false)

  const done = (text: string) => {
    changed('organization')
    void sessionState.read()
    showToast({ text: text })
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
  const choose = (file: File) => {
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
        <img className={styles.logo} src={settings.logoUrl} alt={t.current} />
      )}
      {error && <ErrorNotice error={error} />}
      {isTooLarge && (
        <Notice tone="bad">
          <p>{t.tooLarge}</p>
        </Notice>
      )}
      <Actions>
        <FileButton accept="image/png,image/jpeg" busy={setting.isPending} onChosen={choose}>
          {t.choose}
        </FileButton>
        {settings.logoUrl !== undefined && (
          <Button look="danger" busy={removal.isPending} onClick={() => removal.mutate()}>
            {t.remove}
          </Button>
        )}
      </Actions>
    </>
  )
}
