/** Failures that this browser finds out by itself, by their codes. */

/** Files that the server took, and that never became a message. */
export const NOT_PROCESSED = 'files-not-processed'
/** Files that the browser did not keep over a reload, and that the server does not have. */
export const FILES_LOST = 'files-lost'
