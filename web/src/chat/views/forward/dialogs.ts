/** One file to load for both: they ask where something goes, with the same parts. */
export { default as ForwardDialog } from './forward-dialog.tsx'
export { default as ShareDialog } from './share-dialog.tsx'
