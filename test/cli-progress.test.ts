import { describe, expect, it } from 'vitest'
import { Progress, type ProgressOutput, type Shown, shownFor } from '../server/cli/progress.ts'

/** A progress whose time and output the test holds. */
function watch(shown: Shown, columns = 80) {
  let now = 0
  const written: string[] = []
  const output: ProgressOutput = { write: (text: string) => written.push(text), isTTY: true, columns }
  const progress = new Progress(shown, output, () => now)
  return {
    progress,
    pass: (ms: number) => {
      now += ms
    },
    /** Returns the lines written since the last look. */
    look: () => written.splice(0),
  }
}

const ERASE = '\r\u001B[2K'

describe('the progress of a command', () => {
  it('is a line that moves in a terminal, plain lines elsewhere, and nothing with --quiet', () => {
    const terminal = { write: () => true, isTTY: true }
    const pipe = { write: () => true }
    expect(shownFor({ quiet: false, asJson: false }, terminal, 'xterm')).toBe('line')
    expect(shownFor({ quiet: false, asJson: false }, terminal, 'dumb')).toBe('lines')
    expect(shownFor({ quiet: false, asJson: false }, pipe, 'xterm')).toBe('lines')
    expect(shownFor({ quiet: false, asJson: true }, terminal, 'xterm')).toBe('events')
    expect(shownFor({ quiet: true, asJson: true }, terminal, 'xterm')).toBe('nothing')
  })

  it('tells what is done of all, the pace and the time left', () => {
    const { progress, pass, look } = watch('line')
    progress.begin('Messages', { total: 215_833 })
    expect(look()).toEqual([`${ERASE}Messages: 0 of 215,833 (0 %), 0 s so far`])
    pass(10_000)
    progress.advance(13_500)
    progress.show()
    expect(look()).toEqual([`${ERASE}Messages: 13,500 of 215,833 (6 %), 1,350 a second, 2 min 30 s left`])
    pass(10_000)
    progress.advance(202_333)
    progress.show()
    expect(look()[0]).toContain('Messages: 215,833 of 215,833 (100 %)')
  })

  it('measures the pace over the last half minute', () => {
    const { progress, pass, look } = watch('lines')
    progress.begin('Messages', { total: 1_000_000 })
    for (let second = 0; second < 120; second += 1) {
      pass(1000)
      progress.advance(second < 60 ? 1000 : 100)
    }
    progress.show()
    expect(look()).toEqual(['Messages: 66,000 of 1,000,000 (6 %), 100 a second, 2 h 35 min left\n'])
  })

  it('tells the share where the total is not known, and the time of what is not counted', () => {
    const { progress, pass, look } = watch('lines')
    progress.begin('Messages')
    pass(20_000)
    progress.advance(5000, 0.25)
    progress.show()
    progress.begin('Erasing', { unit: 'share' })
    pass(2000)
    progress.advance(1, 0.5)
    progress.show()
    progress.begin('Files', { total: 50 * 1024 ** 2, unit: 'bytes' })
    pass(5000)
    progress.advance(10 * 1024 ** 2)
    progress.show()
    progress.begin('Finishing')
    pass(61_000)
    progress.show()
    expect(look()).toEqual([
      'Messages: 5,000 (25 %), 250 a second, 1 min 0 s left\n',
      'Erasing: 50 %, 2 s left\n',
      'Files: 10.0 MB of 50.0 MB (20 %), 2.0 MB a second, 20 s left\n',
      'Finishing: 1 min 1 s so far\n',
    ])
  })

  it('never breaks its line in a narrow terminal, and leaves nothing of it', () => {
    const { progress, look } = watch('line', 20)
    progress.begin('Messages', { total: 215_833 })
    expect(look()).toEqual([`${ERASE}Messages: 0 of 215,`])
    progress.close()
    expect(look()).toEqual([ERASE])
  })

  it('gives programs an object for each moment, also for the end of each part', () => {
    const { progress, pass, look } = watch('events')
    progress.begin('Rows', { total: 200 })
    pass(2000)
    progress.advance(50)
    progress.begin('Finishing')
    progress.close()
    const nothing = { done: 0, unit: null, share: null, perSecond: null, secondsLeft: null }
    expect(look().map((line) => JSON.parse(line))).toEqual([
      { event: 'progress', part: 'Rows', ...nothing, total: 200, share: 0 },
      {
        event: 'progress',
        part: 'Rows',
        done: 50,
        total: 200,
        unit: null,
        share: 0.25,
        perSecond: 25,
        secondsLeft: 6,
      },
      { event: 'progress', part: 'Finishing', ...nothing, total: null },
      { event: 'progress', part: 'Finishing', ...nothing, total: null },
    ])
  })

  it('writes nothing with --quiet', () => {
    const { progress, look } = watch('nothing')
    progress.begin('Rows', { total: 2 })
    progress.advance(1)
    progress.show()
    progress.close()
    expect(look()).toEqual([])
  })
})
