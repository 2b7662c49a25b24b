"""The operators' files are valid and match the metrics that the service exports.

Containers have no rights that they don't need. Alerts fire exactly when expected.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from paths import ROOT
from prometheus_client.parser import text_string_to_metric_families

MANIFESTS = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
MONITORING = ROOT / "deploy" / "monitoring"
_MEASURE = re.compile(r"sudokuq_[a-z_]+")


def objects(path: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(path.read_text()))


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_manifests_meet_the_schemas_of_kubernetes(path: Path) -> None:
    version = kubernetes_validate.latest_version()
    for thing in objects(path):
        kubernetes_validate.validate(thing, version, strict=True)
    spoiled = objects(path)[0] | {"spec": {"nonsense": 1}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(spoiled, version, strict=True)


def test_documented_ingress_leads_to_the_web_service() -> None:
    blocks = (ROOT / "docs" / "operations.md").read_text().split("```yaml\n")[1:]
    (ingress,) = [
        yaml.safe_load(block.partition("```")[0]) for block in blocks if "Ingress" in block
    ]
    kubernetes_validate.validate(ingress, kubernetes_validate.latest_version(), strict=True)
    (rule,) = ingress["spec"]["rules"]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    service = next(
        thing
        for thing in objects(ROOT / "deploy" / "kubernetes" / "web.yaml")
        if thing["kind"] == "Service"
    )
    assert backend["name"] == service["metadata"]["name"]
    assert backend["port"]["name"] in {port["name"] for port in service["spec"]["ports"]}


def test_containers_have_no_rights_that_they_do_not_need() -> None:
    pods = [
        thing["spec"]["template"]["spec"]
        for path in MANIFESTS
        for thing in objects(path)
        if thing["kind"] in ("Deployment", "StatefulSet")
    ]
    assert len(pods) == 3
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"]
        assert not pod["automountServiceAccountToken"]
        for container in pod["containers"]:
            security = container["securityContext"]
            assert security["readOnlyRootFilesystem"]
            assert security["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]["memory"]


def test_alerts_and_dashboard_use_existing_metrics(http: Any) -> None:
    families = text_string_to_metric_families(http.get("/metrics").text)
    measured: set[str] = set()
    for family in families:
        end = "_total" if family.type == "counter" else ""
        measured |= {family.name + end, *(sample.name for sample in family.samples)}
    rules = [
        rule for group in objects(MONITORING / "alerts.yml")[0]["groups"] for rule in group["rules"]
    ]
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    asked = [rule["expr"] for rule in rules]
    asked += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    names = {name for expression in asked for name in _MEASURE.findall(expression)}
    assert len(names) > 10
    assert names <= measured
    operations = (ROOT / "docs" / "operations.md").read_text()
    for rule in rules:
        assert f"| `{rule['alert']}` |" in operations
    for name in {name.removesuffix("_bucket") for name in measured} - {
        name for name in measured if name.endswith(("_sum", "_count", "_created"))
    }:
        assert f"`{name}`" in operations


def expressions() -> list[str]:
    """Return the Prometheus expressions of all alerts and dashboard panels."""
    rules = objects(MONITORING / "alerts.yml")[0]["groups"][0]["rules"]
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    panels = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    return [rule["expr"] for rule in rules] + panels


def test_nothing_is_counted_once_for_each_web_pod() -> None:
    """Every pod exports the totals of the service, so take their maximum, never a sum."""
    for expression in expressions():
        assert re.search(r"\b(max|absent)\b", expression), expression
        assert not re.search(r"\b(sum|avg|count)\b", expression), expression


def test_alerts_do_not_depend_on_the_job_label() -> None:
    for expression in expressions():
        assert not re.search(r"\b(job|instance|pod|namespace)\s*[=!]", expression), expression
        assert not re.search(r"\bup\b", expression), expression


def test_alerts_fire_exactly_when_expected(http: Any) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("this test needs promtool (part of Prometheus)")
    checks = (
        ["check", "rules", "alerts.yml"],
        ["check", "config", "--syntax-only", "prometheus.yml"],
        ["test", "rules", "alerts_test.yml"],
    )
    for check in checks:
        subprocess.run([promtool, *check], cwd=MONITORING, check=True, capture_output=True)
    told = http.get("/metrics").data
    lint = [promtool, "check", "metrics"]
    said = subprocess.run(lint, input=told, check=True, capture_output=True)
    assert said.stderr == b""


def test_every_alert_is_tested_firing_and_not_firing() -> None:
    rules = objects(MONITORING / "alerts.yml")[0]["groups"][0]["rules"]
    tests = [
        alert
        for test in objects(MONITORING / "alerts_test.yml")[0]["tests"]
        for alert in test["alert_rule_test"]
    ]
    for comes in (False, True):
        tried = {test["alertname"] for test in tests if bool(test.get("exp_alerts")) == comes}
        assert tried == {rule["alert"] for rule in rules}


def test_monitoring_starts_only_on_request() -> None:
    services = objects(ROOT / "docker-compose.yml")[0]["services"]
    asked_for = {name for name, service in services.items() if service.get("profiles")}
    assert asked_for == {"prometheus", "grafana", "flower"}
    for name in asked_for:
        assert all(port.startswith("127.0.0.1:") for port in services[name]["ports"])
        for volume in services[name].get("volumes", ()):
            assert (ROOT / volume.partition(":")[0]).is_file()
