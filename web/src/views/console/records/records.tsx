import { Columns } from '../../../kit/layout.tsx'
import { PageHead } from '../../../kit/page.tsx'
import { Loaded } from '../../../kit/states.tsx'
import { recordsTexts } from '../../../texts/records.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useSettings } from '../changes.ts'
import { Erasures } from './erasures.tsx'
import { Holds } from './holds.tsx'
import { KeepMessages } from './keep-messages.tsx'

/** Retention of messages, legal holds, and deletions of people's data. */
export default function Records() {
  const t = useTexts(recordsTexts)
  const settings = useSettings()
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Loaded query={settings}>
        {(data) => (
          <Columns>
            <KeepMessages settings={data} />
          </Columns>
        )}
      </Loaded>
      <Holds />
      <Erasures />
    </>
  )
}
