import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../kit/button.tsx'
import { ErrorNotice, Notice } from '../../../kit/notice.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { useBotsChanged } from './bot-data.ts'

/** Says until when what was replaced still works beside the new one, and lets an admin end that now. */
export function FormerNotice({
  until,
  texts: t,
  onEnd,
}: {
  until: number | undefined
  texts: { former: string; endFormer: string; formerEnded: string }
  onEnd: () => Promise<unknown>
}) {
  const changed = useBotsChanged()
  const end = useMutation({
    mutationFn: onEnd,
    onSuccess: () => {
      showToast({ text: t.formerEnded })
      void changed()
    },
  })
  if (until === undefined || until <= Date.now()) return null
  return (
    <Notice tone="warn">
      <p>
        {t.former} <Time at={until} exact />
      </p>
      {end.isError && <ErrorNotice error={end.error} />}
      <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
        {t.endFormer}
      </Button>
    </Notice>
  )
}
