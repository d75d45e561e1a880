/** The repository, in plain Node and inside the editor's extension host. */
export function testRoot(): string {
  return process.env.MCP_RESOURCES_TEST_ROOT ?? process.cwd();
}
