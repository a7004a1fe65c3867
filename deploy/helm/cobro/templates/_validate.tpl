{{/* Early failures in one place: each says what to set. */}}
{{- define "cobro.validate" -}}
{{- $v := .Values -}}
{{- if and $v.ingress.enabled $v.gatewayApi.enabled }}{{ fail "ingress.enabled and gatewayApi.enabled: choose one" }}{{ end -}}
{{- if and (or $v.ingress.enabled $v.gatewayApi.enabled) (not (and $v.hosts.main $v.hosts.partner)) }}{{ fail "hosts.main and hosts.partner are needed for an Ingress or HTTPRoutes" }}{{ end -}}
{{- if and $v.gatewayApi.enabled (not $v.gatewayApi.parentRefs) }}{{ fail "gatewayApi.parentRefs is needed: name the Gateway" }}{{ end -}}
{{- range $server := list "postgres" "rabbitmq" "redis" "keys" -}}
{{- if not (index $v $server).existingSecret }}{{ fail (printf "%s.existingSecret is needed: the chart makes no passwords and no keys" $server) }}{{ end -}}
{{- end -}}
{{- if and (eq $v.monitoring.exporter "otlp") (not $v.telemetry.endpoint) }}{{ fail "monitoring.exporter otlp: set telemetry.endpoint" }}{{ end -}}
{{- if and $v.test.makeMerchant $v.test.existingSecret }}{{ fail "test.makeMerchant and test.existingSecret: choose one" }}{{ end -}}
{{- if and $v.test.makeMerchant (eq $v.keyMode "live") }}{{ fail "test.makeMerchant makes test keys, which keyMode live does not take: set test.existingSecret" }}{{ end -}}
{{- end }}
