import fc from 'fast-check'

const SURROGATES = { from: 0xd800, to: 0xdfff }
const SURROGATE_COUNT = SURROGATES.to - SURROGATES.from + 1

const character = fc.nat({ max: 0x10_ffff - SURROGATE_COUNT }).map(
  (place) => String.fromCodePoint(place < SURROGATES.from ? place : place + SURROGATE_COUNT),
  (value) => {
    const code = typeof value === 'string' ? value.codePointAt(0) : undefined
    if (code === undefined || value !== String.fromCodePoint(code) || isSurrogate(code))
      throw new Error('not a character')
    return code < SURROGATES.from ? code : code - SURROGATE_COUNT
  },
)

function isSurrogate(code: number): boolean {
  return code >= SURROGATES.from && code <= SURROGATES.to
}

/**
 * Texts of any characters. They are those of fast-check's `unit: 'binary'`, which takes a second of CPU and 100 MB in each worker
 * to list all of Unicode.
 */
export const anyText = (constraints: { maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: character, ...constraints })
