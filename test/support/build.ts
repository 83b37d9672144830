import { buildIfStale } from '../../bin/build.mjs'

/** Builds once, before servers are started that are given a time to start in. */
export default buildIfStale
