import { PageHead } from '../../../kit/page.tsx'
import { identity } from '../../../texts/identity.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Scim } from './scim.tsx'

/** How the organization is connected with the directory of its company. */
export default function Identity() {
  const t = useTexts(identity)
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Scim />
    </>
  )
}
