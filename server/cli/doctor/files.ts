import type { Config } from '../../config.ts'
import { openStorage } from '../../files/storage/open.ts'
import { NO_ENGINE_HELP, openTranscriber } from '../../files/voice/transcriber.ts'
import { type Check, fine, messageOf, problem } from './check.ts'

/** A folder is part of the data folder, which has a check of its own; a bucket must answer. */
export async function checkFiles(config: Config): Promise<Check[]> {
  const { s3, filesDir } = config
  if (!s3) return [fine('Files', filesDir), await checkVoice(config)]
  const storage = await openStorage(config)
  try {
    await storage.check()
    return [fine('Files', `bucket ${s3.name}`), await checkVoice(config)]
  } catch (error) {
    return [problem('Files', `bucket ${s3.name}`, messageOf(error)), await checkVoice(config)]
  } finally {
    storage.close()
  }
}

/** An engine is optional, so a missing one is no problem. */
async function checkVoice({ transcription }: Config): Promise<Check> {
  const engine = await openTranscriber(transcription)
  return fine('Voice', engine ? `transcribed by ${engine.name}` : NO_ENGINE_HELP)
}
