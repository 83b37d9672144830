import type { BrowserContext } from 'playwright-core'

/** Arabic letters in place of the Latin ones from a to z: no words, but laid out like a text in Arabic. */
const LETTERS = 'ابتثجحخدذرزسشصضطظعغفقكلمنه'

/** Parts of a page that hold the words of people and programs, which keep their letters and their direction. */
const OWN_WORDS = 'code, pre, bdi, kbd, textarea, script, style, title, option, body [lang], body [dir]'

/**
 * A language for tests alone: pages are turned to the right, and the words of the product are written in Arabic letters while
 * they are shown. No text is stored in it, and no reader is offered it.
 */
export async function readFromTheRight(context: BrowserContext): Promise<void> {
  await context.addInitScript(`(() => {
    const letters = [...${JSON.stringify(LETTERS)}]
    const written = (text) => text.replace(/[a-z]/gi, (letter) => letters[letter.toLowerCase().charCodeAt(0) - 97])
    const isOwn = (element) => !element || element.closest(${JSON.stringify(OWN_WORDS)}) !== null
    const write = (node) => {
      if (node.nodeType === Node.TEXT_NODE) {
        if (!isOwn(node.parentElement) && /[a-z]/i.test(node.data)) node.data = written(node.data)
        return
      }
      if (node.nodeType !== Node.ELEMENT_NODE) return
      const hint = node.getAttribute('placeholder')
      if (hint !== null && /[a-z]/i.test(hint)) node.setAttribute('placeholder', written(hint))
      node.childNodes.forEach(write)
    }
    new MutationObserver((changes) => {
      const page = document.documentElement
      if (page && page.dir !== 'rtl') page.dir = 'rtl'
      for (const { type, target, addedNodes } of changes) {
        if (type === 'characterData') write(target)
        addedNodes.forEach(write)
      }
    }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['dir'] })
  })()`)
}
