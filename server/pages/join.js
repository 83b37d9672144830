import { byId, forgetToken, handle, post, readToken, show } from './form.js'

const token = readToken()
byId('looking').hidden = false
const { answer: invitation, error } =
  token === ''
    ? { error: 'The link is not complete. Open the whole link of the mail, with the part behind the #.' }
    : await post('/join/look', { token })
byId('looking').hidden = true

if (invitation) {
  byId('organization').textContent = invitation.organization
  byId('organizationAgain').textContent = invitation.organization
  byId('name').value = invitation.name
  show('invited')
  byId('name').focus()
} else {
  byId('reason').textContent = error
  show('refused')
}

handle(byId('form'), '/join', token, ({ organization, name }) => {
  byId('member').textContent = name
  byId('joined').textContent = organization
  forgetToken()
  document.title = `Welcome to ${organization}`
  show('done')
})
