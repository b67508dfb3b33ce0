/*
 * A group of test files is one file for jest. Each of its files has a block of its own, so that its
 * hooks concern its tests alone. `describe` takes no function that imports, so these functions do
 * what it does in jest-circus, whose state the environment hands in.
 */

const key = Symbol.for('jest-circus state')

/** For an environment: hands jest's state to the tests. */
export function handInState(global, { name }, state) {
  if (name === 'setup') global[key] = state
}

/**
 * Loads a file of the group. Its tests and hooks belong to its block. A file that cannot be loaded
 * is a failed test, and the other files of the group still run.
 */
export async function loadFile(name, load) {
  const state = globalThis[key]
  const parent = state.currentDescribeBlock
  const block = { type: 'describeBlock', name, parent, children: [], hooks: [], tests: [] }
  parent.children.push(block)
  state.currentDescribeBlock = block
  try {
    await load()
  } catch (error) {
    state.currentDescribeBlock = block
    test('loads', () => {
      throw error
    })
  }
  state.currentDescribeBlock = parent
}
