import { useEffect } from 'react'

/** Asks when somebody follows a link or closes the page; links within it or that open beside it are no leaving. */
export function useAskBeforeLeaving(isOn: boolean, question: string): void {
  useEffect(() => {
    if (!isOn) return
    const closing = (event: BeforeUnloadEvent) => event.preventDefault()
    const following = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
      if (!link || link.target === '_blank' || isWithinPage(link) || !isPlain) return
      if (window.confirm(question)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', closing)
    document.addEventListener('click', following, true)
    return () => {
      window.removeEventListener('beforeunload', closing)
      document.removeEventListener('click', following, true)
    }
  }, [isOn, question])
}

const isWithinPage = ({ href, hash }: HTMLAnchorElement): boolean =>
  hash !== '' && href.split('#')[0] === window.location.href.split('#')[0]
