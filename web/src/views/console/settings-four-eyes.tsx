import { useMutation } from '@tanstack/react-query'
import type { OrganizationSettings } from '../../../../contract/people/organization.ts'
import { useMembership } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { useErrorText } from '../../kit/error-text.ts'
import { Card } from '../../kit/form.tsx'
import { Quiet, Stack } from '../../kit/layout.tsx'
import { named, Words } from '../../kit/name.tsx'
import { Notice } from '../../kit/notice.tsx'
import { showToast } from '../../kit/toast.tsx'
import { readingTexts } from '../../texts/readings.ts'
import { useTexts } from '../../texts/texts.ts'
import { useSettingsChange } from './changes.ts'
import { SavedSwitch } from './saved-switch.tsx'

/** Whether a reading of content waits for a second owner. It takes two owners to switch it off. */
export function FourEyes({ settings: { fourEyes, fourEyesEndAsked } }: { settings: OrganizationSettings }) {
  const t = useTexts(readingTexts).fourEyes
  const { role } = useMembership()
  const change = useSettingsChange()
  const errorText = useErrorText()
  const keep = useMutation({
    mutationFn: () => change({ fourEyes: true }),
    onSuccess: () => showToast({ text: t.kept }),
    onError: (error) => showToast({ text: errorText(error), tone: 'bad' }),
  })
  if (role !== 'owner')
    return (
      <Card title={t.title}>
        <Stack tight>
          <p>{fourEyes ? t.on : t.off}</p>
          <Quiet>{t.others}</Quiet>
        </Stack>
      </Card>
    )
  return (
    <Card title={t.title}>
      {fourEyesEndAsked && (
        <Notice tone="warn">
          <p>
            <Words text={t.askedBy(named(fourEyesEndAsked.name))} />
          </p>
          <Button size="small" busy={keep.isPending} onClick={() => keep.mutate()}>
            {t.keep}
          </Button>
        </Notice>
      )}
      <SavedSwitch
        label={t.label}
        about={t.hint}
        isOn={fourEyes}
        onChange={async (isOn) => {
          const saved = await change({ fourEyes: isOn })
          showToast({ text: saved.fourEyes === isOn ? (isOn ? t.turnedOn : t.turnedOff) : t.asked })
        }}
      />
    </Card>
  )
}
