import { ButtonLink } from '../kit/button.tsx'
import { PageAlone, PageHead } from '../kit/page.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'

export function NotFound() {
  const t = useTexts(common)
  return (
    <>
      <PageHead title={t.notFound.title} about={t.notFound.text} />
      <div>
        <ButtonLink to="/">{t.notFound.home}</ButtonLink>
      </div>
    </>
  )
}

/** `NotFound` on a page of its own. */
export function NotFoundPage() {
  return (
    <PageAlone>
      <NotFound />
    </PageAlone>
  )
}
