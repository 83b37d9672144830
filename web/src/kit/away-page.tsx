import { away } from '../texts/away.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { useErrorText } from './error-text.ts'
import { PageAlone, PageHead } from './page.tsx'

/** Where nobody was signed in, and the server cannot be asked whether anybody is. */
export default function AwayPage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTexts(away)
  const c = useTexts(common)
  const errorText = useErrorText()
  return (
    <PageAlone>
      <PageHead title={t.title} about={errorText(error)} />
      <div>
        <Button look="primary" onClick={onRetry}>
          {c.retry}
        </Button>
      </div>
    </PageAlone>
  )
}
