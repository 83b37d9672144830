import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The ids of the further processes that a running server has started. */
export async function furtherPidsOf(serverPid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const isFurther = async (pid: string) => {
    const read = (file: string) => readFile(join('/proc', pid, file), 'utf8').catch(() => '')
    const isChild = new RegExp(`^PPid:\\s+${serverPid}$`, 'm').test(await read('status'))
    return isChild && (await read('cmdline')).includes('further-process.js')
  }
  const found = await Promise.all(pids.map(async (pid) => ((await isFurther(pid)) ? [Number(pid)] : [])))
  return found.flat()
}
