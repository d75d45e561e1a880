/** Names that the manifest declares too; a test checks the two against each other. */

export const commandIds = {
  browse: 'mcpResources.browse',
  browseSelect: 'mcpResources.browseSelect',
  browseAttach: 'mcpResources.browseAttach',
  browseToSide: 'mcpResources.browseToSide',
  browseCopyUri: 'mcpResources.browseCopyUri',
  open: 'mcpResources.open',
  openToSide: 'mcpResources.openToSide',
  openByUri: 'mcpResources.openByUri',
  openInstead: 'mcpResources.openInstead',
  openTemplate: 'mcpResources.openTemplate',
  editValues: 'mcpResources.editValues',
  renameFilled: 'mcpResources.renameFilled',
  removeFilled: 'mcpResources.removeFilled',
  listAgain: 'mcpResources.listAgain',
  saveAs: 'mcpResources.saveAs',
  showChanges: 'mcpResources.showChanges',
  copyLink: 'mcpResources.copyLink',
  copyReference: 'mcpResources.copyReference',
  forgetToolGrants: 'mcpResources.forgetToolGrants',
  attach: 'mcpResources.attach',
  attachActive: 'mcpResources.attachActive',
  pin: 'mcpResources.pin',
  unpin: 'mcpResources.unpin',
  attachPinned: 'mcpResources.attachPinned',
  copyAsContext: 'mcpResources.copyAsContext',
  saveSnapshot: 'mcpResources.saveSnapshot',
  refresh: 'mcpResources.refresh',
  refreshAll: 'mcpResources.refreshAll',
  refreshActive: 'mcpResources.refreshActive',
  copyUri: 'mcpResources.copyUri',
  revealActive: 'mcpResources.revealActive',
  showMore: 'mcpResources.showMore',
  stopListing: 'mcpResources.stopListing',
  filter: 'mcpResources.filter',
  clearFilter: 'mcpResources.clearFilter',
  arrange: 'mcpResources.arrange',
  hideServer: 'mcpResources.hideServer',
  showHidden: 'mcpResources.showHidden',
  search: 'mcpResources.search',
  searchAgain: 'mcpResources.searchAgain',
  stopSearch: 'mcpResources.stopSearch',
  clearSearch: 'mcpResources.clearSearch',
  openMatch: 'mcpResources.openMatch',
  start: 'mcpResources.start',
  stop: 'mcpResources.stop',
  restart: 'mcpResources.restart',
  signIn: 'mcpResources.signIn',
  signOut: 'mcpResources.signOut',
  giveInput: 'mcpResources.giveInput',
  forgetInputs: 'mcpResources.forgetInputs',
  allow: 'mcpResources.allow',
  resetTrust: 'mcpResources.resetTrust',
  showLog: 'mcpResources.showLog',
  diagnose: 'mcpResources.diagnose',
  copyDiagnostics: 'mcpResources.copyDiagnostics',
  openDefinition: 'mcpResources.openDefinition',
  useTools: 'mcpResources.useTools',
  dismissTool: 'mcpResources.dismissTool',
  addServer: 'mcpResources.addServer',
  trySampleServer: 'mcpResources.trySampleServer',
  removeSampleServer: 'mcpResources.removeSampleServer',
} as const;

export const viewIds = {
  servers: 'mcpResources.servers',
  pins: 'mcpResources.pins',
  searchResults: 'mcpResources.searchResults',
} as const;

/** The language model tools. */
export const toolNames = {
  list: 'mcpResources_list',
  read: 'mcpResources_read',
  complete: 'mcpResources_complete',
} as const;

export const settingSection = 'mcpResources';
export const settingIds = {
  servers: 'mcpResources.servers',
  userConfigPath: 'mcpResources.userConfigPath',
  autoConnect: 'mcpResources.autoConnect',
  startTimeout: 'mcpResources.startTimeout',
  readTimeout: 'mcpResources.readTimeout',
  cacheSize: 'mcpResources.cacheSize',
  pollInterval: 'mcpResources.pollInterval',
  clientMetadataUrl: 'mcpResources.clientMetadataUrl',
  serverFilters: 'mcpResources.serverFilters',
  listAnyway: 'mcpResources.listAnyway',
  shareWorkspaceFolders: 'mcpResources.shareWorkspaceFolders',
} as const;

export const contextKeys = {
  /** The configuration has been read once. */
  ready: 'mcpResources.ready',
  hasServers: 'mcpResources.hasServers',
  /** Another tool's servers were found, and nobody has said yet whether to use them. */
  toolsFound: 'mcpResources.toolsFound',
  /** The active editor shows a document of ours. */
  documentActive: 'mcpResources.documentActive',
  /** The resource that it shows is pinned. */
  activePinned: 'mcpResources.activePinned',
  /** Something is left out of the lists by the filter. */
  filtering: 'mcpResources.filtering',
  /** A server is hidden. */
  hiding: 'mcpResources.hiding',
  /** There are results of a search, or one is under way. */
  searched: 'mcpResources.searched',
  searching: 'mcpResources.searching',
  /** Something is pinned. */
  pinned: 'mcpResources.pinned',
  /** The picker of all resources is open. */
  browsing: 'mcpResources.browsing',
  /** A chat can resolve references to resources. */
  referencesRead: 'mcpResources.referencesRead',
} as const;

/** Schemes of our documents: the first where VS Code leaves it free, else the second. */
export const schemes = { preferred: 'mcp-resource', fallback: 'mcp-resource-context' } as const;

/** The chat participant `@mcp`. */
export const participantId = 'mcp-resource-context.mcp';

export const extensionId = 'mcp-resource-context.mcp-resource-context';
