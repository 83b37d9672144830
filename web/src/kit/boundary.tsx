import { Component, type ReactNode } from 'react'
import { reload } from '../api/connection.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { Actions } from './layout.tsx'
import { Notice } from './notice.tsx'
import { PageAlone, PageHead } from './page.tsx'

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

/** Keeps an error in one pane from breaking the others. The pane is drawn again when `of` changes. */
export class PaneBoundary extends Component<
  { children: ReactNode; of?: string | undefined },
  { isBroken: boolean; of: string | undefined }
> {
  override state: { isBroken: boolean; of: string | undefined } = { isBroken: false, of: this.props.of }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  static getDerivedStateFromProps(
    { of }: { of?: string | undefined },
    state: { isBroken: boolean; of: string | undefined },
  ) {
    return state.of === of ? null : { isBroken: false, of }
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return <BrokenPane onRetry={() => this.setState({ isBroken: false })} />
  }
}

function BrokenPane({ onRetry }: { onRetry: () => void }) {
  const t = useTexts(common)
  return (
    <div role="alert">
      <Notice tone="bad">
        <p>{t.internal}</p>
        <Button size="small" onClick={onRetry}>
          {t.retry}
        </Button>
      </Notice>
    </div>
  )
}

function Broken() {
  const t = useTexts(common)
  return (
    <PageAlone>
      <PageHead title={t.broken} />
      <Notice tone="bad">
        <p>{t.internal}</p>
      </Notice>
      <Actions>
        <Button look="primary" onClick={() => void reload()}>
          {t.reload}
        </Button>
        <Button onClick={() => void reload('/')}>{t.notFound.home}</Button>
      </Actions>
    </PageAlone>
  )
}
