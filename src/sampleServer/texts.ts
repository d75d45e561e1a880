export const welcomeText = `# Welcome to MCP Resources

A **resource** is something that a server offers you to read: a file, a table, a log, a picture, a page of
documentation. *MCP* (Model Context Protocol) is the language in which servers offer them. What you are reading
is one: it came from a small sample server on your own machine.

## What to click next

1. **Counter** – open it and keep it visible. It changes by itself, and so does your editor.
2. **Planets** – a JSON document. Open it, then choose **Attach to Chat**: a chat model now sees its text.
3. **Night Sky** – resources can be pictures, too.
4. **Question and Answer** – one resource can consist of several parts.
5. Under **Templates**, **Planet** – an address with a blank. Click it and name a planet.

## Your own servers

Select **Add Server** at the top of the view. Servers live in \`.vscode/mcp.json\`, in your user's \`mcp.json\` or in the
setting \`mcpResources.servers\`; whatever VS Code already knows from the first two is in the view already.

You can only read here: nothing that you do in an editor changes what a server has.
`;

export const questionText = `# Question

Can one resource have more than one part?
`;

export const answerText = `# Answer

Yes. This answer is the second part of a single resource, and has an address of its own.
`;
