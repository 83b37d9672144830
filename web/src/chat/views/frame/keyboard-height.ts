import { useEffect } from 'react'

/**
 * Keeps the page as tall as what is seen of it: a keyboard on the screen covers the page without making it smaller, and the
 * composer would lie under it. The shell's height is this property where it is set (shell.module.css).
 */
export function useKeyboardRoom(): void {
  useEffect(() => {
    const { visualViewport } = window
    if (!visualViewport) return
    const root = document.documentElement
    const fit = () => {
      // Zoomed in by hand, less is seen as well: that is no keyboard.
      const isCovered = visualViewport.scale < 1.05 && visualViewport.height < window.innerHeight - 80
      if (isCovered) root.style.setProperty('--seen-height', `${Math.round(visualViewport.height)}px`)
      else root.style.removeProperty('--seen-height')
      root.toggleAttribute('data-keyboard', isCovered)
      if (isCovered) window.scrollTo(0, 0)
    }
    visualViewport.addEventListener('resize', fit)
    return () => {
      visualViewport.removeEventListener('resize', fit)
      root.style.removeProperty('--seen-height')
      root.removeAttribute('data-keyboard')
    }
  }, [])
}
