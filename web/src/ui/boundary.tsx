import { Component, type ReactNode } from 'react'
import { reload } from '../api/connection.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button, Notice } from './controls.tsx'
import { PageHead } from './page.tsx'

/** A mistake in a view leaves a page that says so, not an empty one. */
export class Boundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  const t = useTexts(common)
  return (
    <main className="narrow" id="content" tabIndex={-1}>
      <PageHead title={t.broken} />
      <Notice tone="bad">
        <p>{t.internal}</p>
      </Notice>
      <div className="actions">
        <Button look="primary" onClick={() => void reload()}>
          {t.reload}
        </Button>
        <Button onClick={() => void reload('/')}>{t.notFound.home}</Button>
      </div>
    </main>
  )
}
