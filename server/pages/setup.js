import { byId, forgetToken, handle, readToken, show } from './form.js'

const COPIED_MS = 2000

const token = readToken()
if (token === '') {
  byId('wrong').textContent =
    'This address is not complete. Open the whole link that Parley printed when it started, with the part behind the #.'
  byId('wrong').hidden = false
  byId('form').querySelector('button').disabled = true
}

handle(byId('form'), '/setup', token, (made) => {
  byId('organization').textContent = byId('organizationName').value.trim()
  for (const name of ['apiKey', 'apiSecret', 'topicId', 'firstCall']) byId(name).textContent = made[name]
  forgetToken()
  document.title = 'Parley is ready'
  show('done')
})

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    const label = button.firstChild
    label.data = (await copy(byId(button.dataset.copy))) ? 'Copied' : 'Press Ctrl-C'
    byId('status').textContent = label.data
    setTimeout(() => {
      label.data = 'Copy'
      byId('status').textContent = ''
    }, COPIED_MS)
  })
}

/** Without https, and not on this machine, there is no clipboard: then the text is at least selected. */
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(element)
    return document.execCommand('copy')
  }
}
