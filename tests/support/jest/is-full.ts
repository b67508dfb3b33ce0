/** Whether `npm run test:full` runs the tests, which repeat some properties more often. */
export const isFull = process.env['FULL_TESTS'] === '1'
