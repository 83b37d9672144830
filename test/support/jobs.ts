import type { Transcriber } from '../../server/files/voice/transcriber.ts'
import { JobRunner } from '../../server/jobs/runner.ts'
import { processing } from '../../server/uploads/process.ts'
import { textReading } from '../../server/uploads/read-text.ts'
import { transcription } from '../../server/uploads/transcribe.ts'
import type { TestParley } from './parley.ts'

/** Starts the background work of uploads, with the test's engine. */
export function startJobs({ parley }: TestParley, engine?: Transcriber): { stop(): Promise<void> } {
  const runners = [
    new JobRunner(parley, processing(parley)),
    new JobRunner(parley, transcription(parley, engine)),
    new JobRunner(parley, textReading(parley)),
  ]
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()))
    },
  }
}
