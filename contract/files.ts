/** Refusals of covers and logos. */
export const PICTURE_REFUSALS = [
  'image_type_unsupported',
  'image_invalid',
  'image_too_large',
  'image_too_slow',
  'image_queue_full',
] as const
