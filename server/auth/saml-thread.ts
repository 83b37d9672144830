import { parentPort, workerData } from 'node:worker_threads'
import { samlLibrary } from './saml-library.ts'
import type { SamlReading, SamlTask } from './saml-reader.ts'

/* The program of a thread that checks one answer of an identity provider, a separate entry of the build (saml-reader.ts). */

async function read({ options, answer }: SamlTask): Promise<SamlReading> {
  try {
    const { SAML: Library } = await samlLibrary()
    const { profile } = await new Library(options).validatePostResponseAsync({ SAMLResponse: answer })
    return { assertion: profile?.getAssertion?.() }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await read(workerData))
