import * as vscode from 'vscode';
import { filledLabel } from '../catalog/filledLabel';
import { labelOf } from '../catalog/labelOf';
import type { TemplateInstance } from '../catalog/templateInstances';
import { parseTemplate, type UriTemplate } from '../catalog/uriTemplate';
import { keyOf } from '../connection/connectionPool';
import { commandIds } from '../ids';
import { plainLine } from '../ui/plainText';
import { itemId } from './itemBounds';
import type { ResourceNode, TemplateNode } from './nodes';
import { templateTooltip } from './tooltips';
import { resourceItem, type ResourceLook } from './treeItem';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** A template, with something below it where it is `filled`; a bad one is marked, says why, and cannot be used. */
export function templateItem(node: TemplateNode, filled: boolean): vscode.TreeItem {
  const { entry } = node;
  const parsed = parseTemplate(entry.uriTemplate);
  const label = plainLine(labelOf(entry));
  const item = new vscode.TreeItem(label, filled ? Collapsed : None);
  item.id = itemId(`template ${keyOfTemplate(node)}`);
  if (parsed.ok) {
    item.iconPath = new vscode.ThemeIcon('symbol-parameter');
    item.description = parameterWords(parsed.template);
    item.contextValue = 'template';
    item.command = {
      command: commandIds.openTemplate,
      title: vscode.l10n.t('Open From Template…'),
      arguments: [node],
    };
  } else {
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    item.description = vscode.l10n.t('cannot be used: {0}', plainLine(parsed.reason, 120));
    item.contextValue = 'template unusable';
  }
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, template, {1}', label, item.description),
  };
  return item;
}

/** What a person made from a template: it looks and behaves like a resource, under a name of its own. */
export function filledItem(
  node: ResourceNode,
  { template }: NonNullable<ResourceNode['filled']>,
  look: ResourceLook,
): vscode.TreeItem {
  const item = resourceItem(node, look);
  // The server may list the same resource, and another template may lead to it.
  item.id = itemId(`filled ${keyOfTemplate(template)} ${node.entry.uri}`);
  item.contextValue = `${look.pinned ? 'pinned ' : ''}filled resource${look.gone ? ' missing' : ''}`;
  return item;
}

export function filledNodes(template: TemplateNode, found: readonly TemplateInstance[]): ResourceNode[] {
  const labels = found.map(filledLabel);
  return found.map((instance, index) =>
    filledNode(template, instance, labels.filter((label) => label === labels[index]).length > 1),
  );
}

export function filledNode(template: TemplateNode, instance: TemplateInstance, ambiguous = false): ResourceNode {
  return {
    kind: 'resource',
    server: template.group.server,
    parent: template,
    entry: {
      uri: instance.uri,
      name: filledLabel(instance),
      description: vscode.l10n.t('Made from the template {0}', instance.uriTemplate),
      mimeType: template.entry.mimeType,
      annotations: template.entry.annotations,
    },
    ambiguous,
    filled: { template, instance },
  };
}

function parameterWords({ variables }: UriTemplate): string {
  const names = plainLine(variables.map(({ name }) => name).join(', '), 120);
  return variables.length === 0
    ? vscode.l10n.t('no parameters')
    : variables.length === 1
      ? vscode.l10n.t('1 parameter: {0}', names)
      : vscode.l10n.t('{0} parameters: {1}', variables.length, names);
}

/** What a template says when it is pointed at. */
export function tooltipOfTemplate(node: TemplateNode): vscode.MarkdownString {
  const { entry } = node;
  return templateTooltip(entry, serverIdOf(node), parseTemplate(entry.uriTemplate));
}

function serverIdOf({ group }: TemplateNode): string {
  return group.server.connection.id;
}

function keyOfTemplate(node: TemplateNode): string {
  return keyOf({ serverId: serverIdOf(node), uri: node.entry.uriTemplate });
}
