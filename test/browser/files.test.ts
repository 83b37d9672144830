import { type BrowserContext, type CDPSession, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { fileTexts } from '../../web/src/texts/chat-files.ts'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { voiceTexts } from '../../web/src/texts/chat-voice.ts'
import {
  BROWSER,
  FLAGS,
  faults,
  faultsInBothThemes,
  openStage,
  openTeam,
  type Stage,
  type Team,
  takePicture,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { HTML, media, plain } from '../support/samples.ts'
import { kill } from '../support/server-process.ts'
import { MISSING_FOR_CONVERSION } from '../support/speech.ts'

const [composer, files, message, voice] = [composerTexts.en, fileTexts.en, messageTexts.en, voiceTexts.en]
const MEBIBYTE = 1024 * 1024
const SAID = 'Ship it on Tuesday'

type Upload = { name: string; mimeType: string; buffer: Buffer }

/** A page with two words on it, with the table of its objects, as viewers want it. */
function pdf(): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    '<</Length 41>>stream\nBT /F 24 Tf 40 100 Td (The plan) Tj ET    \nendstream',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = text.length
    text += `${index + 1} 0 obj${object}endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(`${text}${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`)
}

/** Two people in one topic, in a browser with a microphone that beeps; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('files and voice', () => {
  let stage: Stage
  let ada: BrowserContext
  let ben: BrowserContext
  let page: Page
  let other: Page
  let line: CDPSession
  let topicId: string
  let benId: string
  let chat: Team['chat']

  beforeAll(async () => {
    stage = await openStage({ MAX_FILE_MB: '3', TRANSCRIPTION_COMMAND: `echo ${SAID};:` }, [
      '--use-fake-device-for-media-stream',
    ])
    ;({ ada, ben, benId, chat } = await openTeam(stage, { viewport: { width: 1280, height: 900 } }))
    await ada.grantPermissions(['microphone'])
    const topic = await chat(ada, 'POST', 'topics', { name: 'Harbour', members: [benId] })
    topicId = String(topic.id)
    page = await open(ada)
    other = await open(ben)
    line = await ada.newCDPSession(page)
    await line.send('Network.enable')
  })
  afterAll(() => stage?.close())

  async function open(who: BrowserContext): Promise<Page> {
    const opened = await who.newPage()
    opened.setDefaultTimeout(PATIENCE_MS)
    await opened.goto(`/t/${topicId}`)
    await field(opened).waitFor()
    return opened
  }
  const field = (of: Page): Locator => of.getByRole('textbox', { name: composer.message('Harbour') })
  const rows = (of: Page): Locator => of.getByRole('log').first().getByRole('article')
  const row = (of: Page, text: string): Locator => rows(of).filter({ hasText: text }).last()
  /** Waits for a message, which may be below the visible part. */
  const arrived = async (of: Page, text: string): Promise<Locator> => {
    await eventually(async () => {
      await of.evaluate(`document.querySelector('[role=log]').scrollTop = 1e9`)
      return row(of, text).count()
    }).toBeGreaterThan(0)
    return row(of, text)
  }
  const button = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true })
  const waiting = (of: Page) => of.getByRole('list', { name: composer.files }).getByRole('listitem')
  const choose = (given: Upload[]) => page.locator('input[type=file]').first().setInputFiles(given)
  const say = async (text: string) => {
    await field(page).fill(text)
    await field(page).press('Enter')
  }
  const picture = async (name: string, width: number, height: number): Promise<Upload> => ({
    name,
    mimeType: 'image/png',
    buffer: await plain(width, height).png().toBuffer(),
  })
  const large = (name: string): Upload => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(2 * MEBIBYTE, name),
  })
  /** Upload bytes a second; 0 means no limit. */
  const slowDown = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: uploadThroughput || -1,
    })
  const underWay = () => page.getByRole('progressbar')
  const hasBegun = async () => {
    await underWay().waitFor()
    await eventually(async () => Number(await underWay().getAttribute('value'))).toBeGreaterThan(0)
  }
  const stored = async (text: string): Promise<number> => {
    const history = await chat(ada, 'GET', `topics/${topicId}/history?limit=100`)
    return (history.messages as { text: string }[]).filter((one) => one.text === text).length
  }
  const toast = (text: string) => page.getByText(text, { exact: true }).first()
  const isForEverybody = async (of: Page, name: string): Promise<void> => {
    expect(await faultsInBothThemes(of, `files-${name}`)).toEqual([])
  }
  const heights = (of: Page, bars: string): Promise<string[]> =>
    of.evaluate(`[...document.querySelectorAll('${bars}')].map((bar) => bar.getAttribute('height'))`)
  /** Hands over a file as another window would. */
  const handOver = (kind: 'drop' | 'paste', name: string) =>
    page.evaluate(
      `(() => {
        const given = new DataTransfer()
        given.items.add(new File(['of ${kind}'], '${name}', { type: 'text/plain' }))
        const field = document.querySelector('textarea')
        field.focus()
        const options = { bubbles: true, cancelable: true }
        if ('${kind}' === 'paste') field.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: given }))
        else for (const type of ['dragover', 'drop']) field.dispatchEvent(new DragEvent(type, { ...options, dataTransfer: given }))
      })()`,
    )

  test('come by choice, drop and paste, several in one message, and have their place before they load', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await other.route('**/attachments/thb_*/**', async (route) => {
      await held
      await route.continue()
    })
    await choose([await picture('wide.png', 640, 320), await picture('tall.png', 300, 600)])
    await waiting(page).nth(1).waitFor()
    await handOver('drop', 'dropped.txt')
    await waiting(page).nth(2).waitFor()
    await handOver('paste', 'pasted.txt')
    await waiting(page).nth(3).waitFor()
    await button(page, composer.removeFile('pasted.txt')).click()
    expect(await waiting(page).count()).toBe(3)
    await isForEverybody(page, 'chosen')
    await say('Plans of the pier')

    const shown = await arrived(other, 'Plans of the pier')
    await shown.getByText('dropped.txt').waitFor()
    const boxes = async () =>
      Promise.all(
        ['wide.png', 'tall.png'].map(async (name) => {
          const box = await button(shown, message.picture(name)).boundingBox()
          return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]
        }),
      )
    expect(await boxes()).toEqual([
      [320, 160],
      [160, 320],
    ])
    release()
    await eventually(() =>
      other.evaluate(
        `[...document.querySelectorAll('[role=log] img')].every((each) => each.naturalWidth > 0)`,
      ),
    ).toBe(true)
    expect(await boxes()).toEqual([
      [320, 160],
      [160, 320],
    ])
  })

  test('are looked at in a gallery by keyboard, which gives the focus back', async () => {
    await choose([await picture('later.png', 400, 400)])
    await waiting(page).first().waitFor()
    await say('One more')
    await button(await arrived(other, 'One more'), message.picture('later.png')).waitFor()
    const first = button(row(other, 'Plans of the pier'), message.picture('wide.png'))
    await first.focus()
    await other.keyboard.press('Enter')
    const gallery = other.getByRole('dialog', { name: 'wide.png' })
    await gallery.getByRole('img', { name: files.pictureBy('wide.png', 'Ada Okafor') }).waitFor()
    await gallery.getByText(files.position(1, 3)).waitFor()
    await isForEverybody(other, 'gallery')
    await other.keyboard.press('ArrowRight')
    await other.getByRole('dialog', { name: 'tall.png' }).waitFor()
    await other.keyboard.press('End')
    await other.getByRole('dialog', { name: 'later.png' }).waitFor()
    await other.keyboard.press('ArrowRight')
    await other.getByText(files.position(3, 3)).waitFor()
    const link = other.getByRole('link', { name: files.download('later.png') })
    const [download] = await Promise.all([other.waitForEvent('download'), link.click({ modifiers: [] })])
    expect(download.suggestedFilename()).toBe('later.png')
    await other.keyboard.press('Escape')
    await other.getByRole('dialog').waitFor({ state: 'detached' })
    await eventually(() => other.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe(
      message.picture('wide.png'),
    )
  })

  test('are documents with kind and size, previewed where the browser can, and nothing of them runs', async () => {
    await choose([
      { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from(`${HTML}${'.'.repeat(70_000)}`) },
      { name: 'plan.pdf', mimeType: 'application/pdf', buffer: pdf() },
      { name: 'data.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(2048, 7) },
    ])
    await waiting(page).nth(2).waitFor()
    await say('Documents')
    const shown = await arrived(other, 'Documents')
    await shown.getByText('BIN, 2 kB').waitFor()
    await isForEverybody(other, 'documents')
    await shown.getByRole('button', { name: /page\.html/ }).click()
    const dialog = other.getByRole('dialog', { name: 'page.html' })
    await dialog.getByText('<script>alert(1)</script>').waitFor()
    await dialog.getByText(files.beginning('64 kB')).waitFor()
    await isForEverybody(other, 'text')
    await other.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await shown.getByRole('button', { name: /plan\.pdf/ }).click()
    if (await other.evaluate('navigator.pdfViewerEnabled')) {
      const frame = other.locator('iframe[title="plan.pdf"]')
      await frame.waitFor()
      expect(await frame.getAttribute('src')).toMatch(/^blob:/)
      await takePicture(other, 'files-pdf')
    } else await other.getByText(files.noPdfViewer).waitFor()
    await button(other, files.close).click()
    // Files that no browser shows have no button for it.
    expect(await shown.getByRole('button', { name: /data\.bin/ }).count()).toBe(0)
    expect(await shown.getByRole('link', { name: /data\.bin/ }).getAttribute('download')).toBe('data.bin')
  })

  test('are tables and code, as their names say, and text where they are not', async () => {
    const table = 'Name;Berths;"Opening\nhours"\nNorth pier;1.204;"8, daily"\n<b>مرسى</b>;;"a ""free"" one"\n'
    const wide = Array.from({ length: 3 }, () => Array(200).fill('x').join(',')).join('\n')
    await choose([
      { name: 'piers.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${table}`) },
      { name: 'wide.csv', mimeType: 'text/csv', buffer: Buffer.from(wide) },
      { name: 'prose.csv', mimeType: 'text/csv', buffer: Buffer.from('One line\nAnother line\n') },
      { name: 'tide.ts', mimeType: 'text/plain', buffer: Buffer.from('const height = 12 // metres\n') },
    ])
    await waiting(page).nth(3).waitFor()
    await say('Tables')
    const shown = await arrived(other, 'Tables')
    const look = async (name: string) => {
      await shown.getByRole('button', { name: new RegExp(name) }).click()
      return other.getByRole('dialog', { name })
    }
    const close = async (dialog: Locator) => {
      await other.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    const piers = await look('piers.csv')
    await piers.getByRole('columnheader', { name: 'Name', exact: true }).waitFor()
    expect(await piers.getByRole('columnheader').allTextContents()).toEqual([
      'Name',
      'Berths',
      'Opening\nhours',
    ])
    expect(await piers.getByRole('cell').allTextContents()).toEqual([
      'North pier',
      '1.204',
      '8, daily',
      '<b>مرسى</b>',
      '',
      'a "free" one',
    ])
    await isForEverybody(other, 'table')
    await close(piers)
    const narrowed = await look('wide.csv')
    await narrowed.getByText(files.partOfTable).waitFor()
    expect(await narrowed.getByRole('columnheader').count()).toBe(100)
    await close(narrowed)
    const prose = await look('prose.csv')
    await prose.getByText('Another line').waitFor()
    expect(await prose.getByRole('table').count()).toBe(0)
    await close(prose)
    const code = await look('tide.ts')
    // Each has its colour, as in a code block of a message.
    for (const part of ['const', '12', '// metres']) await code.getByText(part, { exact: true }).waitFor()
    await isForEverybody(other, 'code')
    await close(code)
  })

  test.skipIf(MISSING_FOR_CONVERSION.length > 0)('are films that play in place, in parts', async () => {
    const answers: number[] = []
    other.on('response', (response) => {
      if (response.url().includes('film.webm')) answers.push(response.status())
    })
    await choose([{ name: 'film.webm', mimeType: 'video/webm', buffer: await media('film', 'webm') }])
    await waiting(page).first().waitFor()
    await say('The film')
    const film = (await arrived(other, 'The film')).locator('video')
    await film.waitFor()
    const size = await film.boundingBox()
    expect((size?.width ?? 0) / (size?.height ?? 1)).toBeCloseTo(64 / 48, 1)
    await other.evaluate(`Object.assign(document.querySelector('video'), { muted: true }).play()`)
    await eventually(() => other.evaluate(`document.querySelector('video').currentTime`)).toBeGreaterThan(0)
    expect(answers).toContain(206)
  })

  test('are refused before they are sent: too large, damaged, empty', async () => {
    const png = await picture('broken.png', 300, 300)
    await choose([
      { name: 'huge.iso', mimeType: '', buffer: Buffer.alloc(3 * MEBIBYTE + 1) },
      { ...png, buffer: png.buffer.subarray(0, 60) },
      { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    ])
    await toast(files.tooLarge('huge.iso', '3 MB', '3 MB')).waitFor()
    await toast(files.damaged('broken.png')).waitFor()
    await toast(files.empty('nothing.txt')).waitFor()
    expect(await faults(page)).toEqual([])
    await takePicture(page, 'files-refused')
    await waiting(page).first().waitFor({ state: 'detached' })
    // A file that only claims to be a picture is an ordinary file.
    await choose([{ name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') }])
    await waiting(page).first().waitFor()
    await say('Called a picture')
    await (await arrived(other, 'Called a picture')).getByText('text.png').waitFor()
    await page.reload() // the toasts are gone with it
    await field(page).waitFor()
  })

  test('show how far they are, and can be cancelled', async () => {
    await slowDown(300_000)
    await choose([large('cancelled.bin')])
    await waiting(page).first().waitFor()
    await say('Not this one')
    await hasBegun()
    await isForEverybody(page, 'progress')
    await button(page, message.cancelUpload).click()
    await row(page, 'Not this one').waitFor({ state: 'detached' })
    await slowDown(0)
    await say('After it')
    await arrived(other, 'After it')
    expect(await stored('Not this one')).toBe(0)
  })

  test('survive a reload while they are under way', async () => {
    await slowDown(300_000)
    await choose([large('reloaded.bin')])
    await waiting(page).first().waitFor()
    await say('Through a reload')
    await hasBegun()
    await page.reload()
    await slowDown(0)
    await (await arrived(other, 'Through a reload')).getByText('reloaded.bin').waitFor()
    await (await arrived(page, 'Through a reload')).getByText('reloaded.bin').waitFor()
    expect(await row(page, 'Through a reload').count()).toBe(1)
    expect(await stored('Through a reload')).toBe(1)
  })

  test('survive a server that is killed while they are under way', async () => {
    await slowDown(300_000)
    await choose([large('killed.bin')])
    await waiting(page).first().waitFor()
    await say('Through a crash')
    await hasBegun()
    await kill(stage.server.process)
    await row(page, 'Through a crash').getByText(message.waiting).waitFor()
    await slowDown(0)
    await stage.startServer()
    await (await arrived(other, 'Through a crash')).getByText('killed.bin').waitFor()
    expect(await stored('Through a crash')).toBe(1)
  })

  test('are not sent twice when the answer was lost', async () => {
    let posts = 0
    await page.route('**/chat/messages', async (route) => {
      posts += 1
      await route.fetch() // the server has it, and the page does not hear of it
      await route.abort('connectionreset')
    })
    await choose([large('lost-answer.bin')])
    await waiting(page).first().waitFor()
    await say('The answer was lost')
    await (await arrived(other, 'The answer was lost')).getByText('lost-answer.bin').waitFor()
    await (await arrived(page, 'The answer was lost')).getByText('lost-answer.bin').waitFor()
    await page.unroute('**/chat/messages')
    await say('And the next')
    await arrived(other, 'And the next')
    expect(posts).toBe(1)
    expect(await stored('The answer was lost')).toBe(1)
  })

  test('are voice: recorded with a level, paused, played and sent; the transcript appears', async () => {
    for (const count of [1, 2]) {
      await button(page, composer.record).click()
      const timer = page.getByRole('timer')
      await eventually(async () => (await timer.innerText()) >= '0:02').toBe(true)
      const before = await heights(page, '[class*=recorder] svg rect')
      expect(new Set(before).size).toBeGreaterThan(1)
      await button(page, voice.pauseRecording).click()
      const length = await timer.innerText()
      if (count === 1) {
        await isForEverybody(page, 'recording')
        await button(page, voice.listen).click()
        await button(page, voice.stopListening).waitFor()
        await button(page, voice.listen).waitFor()
        expect(await timer.innerText()).toBe(length)
        await button(page, voice.goOn).click()
        await eventually(() => timer.innerText()).not.toBe(length)
      }
      await button(page, voice.send).click()
      await field(page).waitFor()
      await eventually(() => rows(other).filter({ hasText: SAID }).count()).toBe(count)
    }
    const shown = rows(other).filter({ hasText: SAID })
    await isForEverybody(other, 'voice')
    expect(await shown.first().innerText()).toContain(voice.transcribed)
    expect(new Set(await heights(other, '[role=log] svg rect')).size).toBeGreaterThan(1)
  })

  test('play one after the other, faster if one likes, and by keyboard', async () => {
    const shown = rows(other).filter({ hasText: SAID })
    await shown
      .first()
      .getByRole('button', { name: /^Speed 1×/ })
      .click()
    await shown
      .first()
      .getByRole('button', { name: /^Speed 1.5×/ })
      .click()
    await shown
      .last()
      .getByRole('button', { name: /^Speed 2×/ })
      .waitFor()
    await button(shown.first(), voice.play).focus()
    await other.keyboard.press('Enter')
    await button(shown.first(), voice.pause).waitFor()
    await button(shown.last(), voice.pause).waitFor()
    expect(await button(shown.first(), voice.pause).count()).toBe(0)
    await button(shown.last(), voice.play).waitFor()
    // The slider goes to any place, although the recording itself does not say how long it is.
    const slider = shown.first().getByRole('slider', { name: voice.position })
    await slider.focus()
    await other.keyboard.press('End')
    await eventually(() => slider.getAttribute('aria-valuetext')).not.toMatch(/^0:00/)
  })

  test('are not lost if the person leaves while recording', async () => {
    await button(page, composer.record).click()
    await page.getByRole('timer').waitFor()
    const asked: string[] = []
    const answer = (isLeaving: boolean) =>
      page.once('dialog', (dialog) => {
        asked.push(dialog.message())
        return isLeaving ? dialog.accept() : dialog.dismiss()
      })
    const elsewhere = page.getByRole('navigation').getByRole('link', { name: 'General' }).first()
    answer(false)
    await elsewhere.click()
    expect(asked).toEqual([voice.leave])
    await page.getByRole('timer').waitFor()
    answer(true)
    await elsewhere.click()
    await page.getByRole('heading', { level: 1, name: 'General' }).waitFor()
    expect(asked).toEqual([voice.leave, voice.leave])
    await page.goto(`/t/${topicId}`)
    await field(page).waitFor()
  })

  test('say in words why nothing can be recorded', async () => {
    await button(other, composer.record).click()
    await other.getByRole('alert').getByText(voice.refused).waitFor()
    await isForEverybody(other, 'refused-microphone')
    await button(other, voice.cancel).click()
    await field(other).waitFor()
    const deaf = await chromium.launch({ executablePath: BROWSER ?? '', args: FLAGS })
    try {
      const narrow = await deaf.newContext({
        baseURL: stage.server.url,
        viewport: { width: 360, height: 740 },
        reducedMotion: 'reduce',
        hasTouch: true,
        permissions: ['microphone'],
      })
      await narrow.addCookies(await ben.cookies())
      const small = await open(narrow)
      await button(small, composer.record).click()
      await small.getByRole('alert').getByText(voice.noMicrophone).waitFor()
      await isForEverybody(small, 'narrow')
      await button(small, voice.cancel).click()
      expect(await small.evaluate('document.documentElement.scrollWidth')).toBe(360)
      expect(await small.locator('input[capture]').count()).toBe(1)
    } finally {
      await deaf.close()
    }
  })

  test('say what could not be made of them: a server without an engine, a picture that was not processed', async () => {
    await stage.stopServer()
    await stage.startServer({ TRANSCRIPTION_COMMAND: '', PATH: '/nowhere' })
    await button(page, composer.record).click()
    await eventually(async () => (await page.getByRole('timer').innerText()) >= '0:01').toBe(true)
    await button(page, voice.send).click()
    const untold = rows(other).filter({ hasText: voice.noEngine }).last()
    await untold.getByText(voice.askAdmin).waitFor()
    const own = rows(page).filter({ hasText: voice.noEngine }).last()
    await button(own, voice.howTo).click()
    await page.getByRole('dialog', { name: voice.engineTitle }).waitFor()
    await isForEverybody(page, 'engine')
    await page.keyboard.press('Escape')
    await eventually(() => page.evaluate('document.activeElement?.textContent')).toBe(voice.howTo)

    await choose([await picture('odd.png', 200, 200)])
    await waiting(page).first().waitFor()
    await say('An odd one')
    await arrived(other, 'An odd one')
    await stage.query(`
      update messages set attachments = jsonb_set(attachments, '{0,type}', '"file"') where text = 'An odd one'`)
    const fresh = await stage.visitor({ storageState: await ben.storageState() })
    const again = await open(fresh)
    await (await arrived(again, 'An odd one')).getByText(message.unprocessed).waitFor()
    await fresh.close()
  })
})
