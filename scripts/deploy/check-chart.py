"""Checks the Helm chart and compose.yaml with the libraries in deploy.long.test.ts: Helm's own engine, the schemas of Kubernetes, and those of Compose.

Reads JSON from standard input: the chart's folder, the values of each case, the versions of Kubernetes, and the compose file.
Prints JSON: what each case renders and what is wrong with it.
"""

import json
import sys

import helm_python
import kubernetes_validate
import yaml
from compose_spec import PyCompose

asked = json.load(sys.stdin)


def problems_of(document: dict) -> list[str]:
    problems = []
    for version in asked["versions"]:
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.SchemaNotFoundError:
            # Of a custom resource, such as a ServiceMonitor.
            continue
        except kubernetes_validate.ValidationError as error:
            problems.append(f"{document['kind']}, Kubernetes {version}: {error}")
    return problems


def render(values: dict) -> dict:
    report = helm_python.lint(asked["chart"], values, strict=True)
    # 1 is advice.
    problems = report["errors"] + [one["error"] for one in report["messages"] if one["severity"] > 1]
    try:
        with helm_python.Chart.load(asked["chart"]) as chart:
            files = chart.render(values, name="holdfast", namespace="holdfast")
    except helm_python.HelmError as error:
        return {"problems": [*problems, str(error)], "documents": []}
    texts = [text for path, text in sorted(files.items()) if path.endswith(".yaml")]
    documents = [one for text in texts for one in yaml.safe_load_all(text) if one is not None]
    return {"problems": problems + [line for one in documents for line in problems_of(one)], "documents": documents}


def compose_problems() -> list[str]:
    with open(asked["compose"], encoding="utf-8") as file:
        content = yaml.safe_load(file)
    # Extensions, which YAML's anchors have put where they belong.
    own = {name: value for name, value in content.items() if not name.startswith("x-")}
    try:
        PyCompose.from_yaml(yaml.safe_dump(own))
        return []
    except ValueError as error:
        return [str(error)]


json.dump(
    {"cases": {name: render(values) for name, values in asked["cases"].items()}, "compose": compose_problems()},
    sys.stdout,
)
