export const codeFolders: readonly string[]
export function forbiddenLines(file: string, text: string): readonly string[]
