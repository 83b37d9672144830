// What the pages with a form share.

export const byId = (id) => document.getElementById(id)

/** The one-time token stands behind the #, so that it reaches no server but by the post below. */
export const readToken = () => location.hash.slice(1)

/** A used token has no place in the address bar or in the history. */
export const forgetToken = () => history.replaceState(null, '', location.pathname)

export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    return response.ok ? { answer } : { error: answer.error ?? 'Something went wrong.' }
  } catch {
    return { error: 'The server does not answer. Is it running?' }
  }
}

/** Sends the fields of the form with the token; `onAnswer` shows what came back. */
export function handle(form, path, token, onAnswer) {
  const button = form.querySelector('button')
  const wrong = byId('wrong')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const fields = [...new FormData(form)].map(([name, value]) => [name, value.trim()])
    wrong.hidden = true
    button.disabled = true
    const { answer, error } = await post(path, { token, ...Object.fromEntries(fields) })
    button.disabled = false
    if (answer) return onAnswer(answer)
    wrong.textContent = error
    wrong.hidden = false
  })
}

/** Puts one section in place of the others; screen readers follow to its heading. */
export function show(id) {
  for (const section of document.querySelectorAll('main > section')) section.hidden = section.id !== id
  byId(id).querySelector('h1[tabindex]')?.focus()
}
