import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { LinkButton } from '../ui/controls.tsx'
import { PageHead } from '../ui/page.tsx'

export function NotFound() {
  const t = useTexts(common)
  return (
    <>
      <PageHead title={t.notFound.title} about={t.notFound.text} />
      <div>
        <LinkButton to="/">{t.notFound.home}</LinkButton>
      </div>
    </>
  )
}

/** The same where nothing is around it. */
export function NotFoundPage() {
  return (
    <main className="narrow" id="content" tabIndex={-1}>
      <NotFound />
    </main>
  )
}
