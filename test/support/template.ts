/** The migrated database that each test file copies. */
export const TEMPLATE = 'parley_template'
