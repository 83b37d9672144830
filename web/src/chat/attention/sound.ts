import { useState } from 'react'

/** Whether this browser plays a sound with notifications. */
const STORED = 'parley.sound'
const isOn = (): boolean => localStorage.getItem(STORED) === 'on'

/** One soft knock: a low tone that falls and fades within a fifth of a second. */
const KNOCK = { from: 220, to: 110, loudness: 0.2, seconds: 0.2 }

/** Plays the sound if this browser has it on. Browsers refuse it until the person has touched the page. */
export async function playSound(isWanted = isOn()): Promise<void> {
  if (!isWanted) return
  const context = new AudioContext()
  const [tone, fade] = [context.createOscillator(), context.createGain()]
  const { currentTime } = context
  const end = currentTime + KNOCK.seconds
  tone.frequency.setValueAtTime(KNOCK.from, currentTime)
  tone.frequency.exponentialRampToValueAtTime(KNOCK.to, end)
  fade.gain.setValueAtTime(KNOCK.loudness, currentTime)
  fade.gain.exponentialRampToValueAtTime(0.001, end)
  tone.connect(fade).connect(context.destination)
  tone.onended = () => void context.close()
  tone.start()
  tone.stop(end)
}

/** The setting of this browser; switching it on plays the sound once. */
export function useSound(): [isOn: boolean, set: (isOn: boolean) => void] {
  const [isWanted, setWanted] = useState(isOn)
  return [
    isWanted,
    (wanted) => {
      localStorage.setItem(STORED, wanted ? 'on' : 'off')
      setWanted(wanted)
      void playSound(wanted).catch(() => {})
    },
  ]
}
