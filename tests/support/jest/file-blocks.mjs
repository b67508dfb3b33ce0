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

/** The tests and hooks that follow belong to the file. */
export function beginFile(name) {
  const state = globalThis[key]
  const parent = state.currentDescribeBlock
  const block = { type: 'describeBlock', name, parent, children: [], hooks: [], tests: [] }
  parent.children.push(block)
  state.currentDescribeBlock = block
}

export function endFile() {
  const state = globalThis[key]
  state.currentDescribeBlock = state.currentDescribeBlock.parent
}
