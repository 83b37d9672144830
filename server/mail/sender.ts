import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../config.ts'
import { EMAIL, toName } from '../text.ts'
import { outboxFolder, putIntoOutbox } from './outbox.ts'
import type { Mail } from './queue.ts'

/** A mail to be sent. All attempts have the same id and time, so that a receiver can recognize repeats. */
export type Message = Mail & { id: string; createdAt: number }

/** Delivers messages to an SMTP server, or to a folder. */
export type MailSender = { send(message: Message): Promise<void>; close(): void }

type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>

const CONNECTIONS = 5
const IDLE_MS = 5_000
const TIMEOUTS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
}

export function openMailSender(config: MailConfig): MailSender {
  return config.smtpUrl === undefined ? outboxSender(config) : smtpSender(config, config.smtpUrl)
}

/** Nodemailer takes 60 ms to load, so it is loaded on demand. */
const loadNodemailer = () => import('nodemailer')

function smtpSender({ mailFrom }: MailConfig, url: string): MailSender {
  let opening: ReturnType<typeof openPool> | undefined
  return {
    async send(message) {
      opening ??= openPool(url)
      const pool = await opening
      await pool.sendMail(composition(message, mailFrom))
    },
    close: () => void opening?.then((pool) => pool.close()),
  }
}

/**
 * A kept connection saves a greeting per mail while there are many, and is closed long before a server would: one that
 * closes in the middle of a mail makes it fail. Trying again is the queue's business, not the pool's.
 */
async function openPool(url: string) {
  const { createTransport } = await loadNodemailer()
  return createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    idleTimeout: IDLE_MS,
    maxRequeues: 0,
    ...TIMEOUTS,
  })
}

/** Whether the SMTP server answers and takes the user and password; throws what went wrong. */
export async function verifySmtp(url: string): Promise<void> {
  const { createTransport } = await loadNodemailer()
  const transport = createTransport({ url, ...TIMEOUTS })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

function outboxSender({ dataDir, mailFrom }: MailConfig): MailSender {
  return {
    async send(message) {
      const { createTransport } = await loadNodemailer()
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
      const { message: bytes } = await composer.sendMail(composition(message, mailFrom))
      if (!Buffer.isBuffer(bytes)) throw new Error('the composed mail must be one piece')
      await putIntoOutbox(outboxFolder(dataDir), message, bytes)
    },
    close: () => {},
  }
}

/** Nodemailer builds the headers, so nothing in a text can start a new one; it is given no list to take apart. */
function composition(message: Message, mailFrom: string): SendMailOptions {
  if (!EMAIL.test(message.to)) throw new Error('the address of the recipient is not valid')
  return {
    from: mailFrom,
    to: { name: '', address: message.to },
    subject: toName(message.subject),
    text: message.text,
    textEncoding: 'quoted-printable',
    messageId: `<${message.id}@${domainOf(mailFrom)}>`,
    date: new Date(message.createdAt),
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Mail programs show a button for this header (RFC 8058).
      ...(message.unsubscribe !== undefined && {
        'List-Unsubscribe': `<${message.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const domainOf = (address: string) => /@([\w.-]+)>?\s*$/.exec(address)?.[1] ?? 'localhost'
