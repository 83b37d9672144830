import { createServer, type Socket } from 'node:net'

export type ReceivedMail = { from: string; to: string[]; data: string }

/** A real receiver with enough of SMTP to take mail or refuse it. */
export type SmtpReceiver = {
  url: string
  received: ReceivedMail[]
  /** Recipients named so far, including refused ones. */
  attempts: number
  /** The answer to the next recipients; undefined accepts them. */
  refuseWith: string | undefined
  /** Takes the next mail and hangs up without an answer. */
  hangUp: boolean
  close(): Promise<void>
}

export async function startSmtpReceiver(): Promise<SmtpReceiver> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket, receiver)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const receiver: SmtpReceiver = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    attempts: 0,
    refuseWith: undefined,
    hangUp: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return receiver
}

function converse(socket: Socket, receiver: SmtpReceiver): void {
  let mail: ReceivedMail = { from: '', to: [], data: '' }
  let [input, isData] = ['', false]
  const say = (line: string) => socket.write(`${line}\r\n`)
  say('220 ready')

  socket.on('data', (chunk) => {
    input += chunk.toString()
    for (;;) {
      const end = isData ? input.indexOf('\r\n.\r\n') : input.indexOf('\r\n')
      if (end < 0) return
      const text = input.slice(0, end)
      input = input.slice(end + (isData ? 5 : 2))
      if (isData) {
        receiver.received.push({ ...mail, data: text })
        mail = { from: '', to: [], data: '' }
        isData = false
        if (receiver.hangUp) return void socket.destroy()
        say('250 taken')
      } else answer(text)
    }
  })

  function answer(line: string): void {
    const [command = ''] = line.toUpperCase().split(/[ :]/)
    const address = /<(.*?)>/.exec(line)?.[1] ?? ''
    if (command === 'MAIL') mail.from = address
    if (command === 'RCPT') {
      receiver.attempts += 1
      if (receiver.refuseWith !== undefined) return void say(receiver.refuseWith)
      mail.to.push(address)
    }
    if (command === 'DATA') isData = true
    say(command === 'DATA' ? '354 go on' : command === 'QUIT' ? '221 bye' : '250 ok')
    if (command === 'QUIT') socket.end()
  }
}
