{{/* Early failures in one place: each says what to set. */}}
{{- define "cobro.validate" -}}
{{- $v := .Values -}}
{{- if and $v.ingress.enabled $v.gatewayApi.enabled }}{{ fail "ingress.enabled and gatewayApi.enabled: choose one" }}{{ end -}}
{{- if and (or $v.ingress.enabled $v.gatewayApi.enabled) (not (and $v.hosts.main $v.hosts.partner)) }}{{ fail "hosts.main and hosts.partner are needed for an Ingress or HTTPRoutes" }}{{ end -}}
{{- if and $v.gatewayApi.enabled (not $v.gatewayApi.parentRefs) }}{{ fail "gatewayApi.parentRefs is needed: name the Gateway" }}{{ end -}}
{{- range $server := list "postgres" "rabbitmq" "redis" "keys" -}}
{{- if not (index $v $server).existingSecret }}{{ fail (printf "%s.existingSecret is needed: the chart makes no passwords and no keys" $server) }}{{ end -}}
{{- end -}}
{{- if and $v.stripe.enabled (not $v.stripe.existingSecret) }}{{ fail "stripe.existingSecret is needed: the chart makes no passwords and no keys" }}{{ end -}}
{{- if and (eq $v.monitoring.exporter "otlp") (not $v.telemetry.endpoint) }}{{ fail "monitoring.exporter otlp: set telemetry.endpoint" }}{{ end -}}
{{- if and $v.monitoring.podMonitor (ne $v.monitoring.exporter "prometheus") }}{{ fail "monitoring.podMonitor: set monitoring.exporter to prometheus" }}{{ end -}}
{{- $services := include "cobro.services" . | fromJson -}}
{{- range $variable, $_ := $v.extraEnv -}}
{{- if has $variable (list "NODE_OPTIONS" "OTEL_SERVICE_NAME" "OTEL_EXPORTER_OTLP_ENDPOINT" "OTEL_METRICS_EXPORTER" "OTEL_EXPORTER_PROMETHEUS_HOST" "TRUSTED_AUTHORITIES" "CLIENT_CERTIFICATES" "NODE_EXTRA_CA_CERTS" "EVENTS_PREFIX" "API_KEY" "BASE_URL") }}{{ fail (printf "extraEnv.%s: the chart sets this variable itself" $variable) }}{{ end -}}
{{- if regexMatch "_(DATABASE|OWNER)_URL$" $variable }}{{ fail (printf "extraEnv.%s: the chart sets this variable itself" $variable) }}{{ end -}}
{{- range $name, $service := $services -}}
{{- if hasKey $service.variables $variable }}{{ fail (printf "extraEnv.%s: it is a variable of %s, set it by its value or by env" $variable $name) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if and $v.test.makeMerchant $v.test.existingSecret }}{{ fail "test.makeMerchant and test.existingSecret: choose one" }}{{ end -}}
{{- if and (or $v.test.makeMerchant $v.test.existingSecret) (eq $v.keyMode "live") }}{{ fail "keyMode live takes no test: `helm test` would send a test card to the bank, be declined and roll the release back" }}{{ end -}}
{{- include "cobro.refuseInClear" (dict "root" . "what" "bank.url" "address" (include "cobro.bankUrl" .)) -}}
{{- range splitList "," .Values.bank.others }}{{ with . }}{{ include "cobro.refuseInClear" (dict "root" $ "what" "bank.others" "address" (regexReplaceAll "^[^=]*=" . "")) }}{{ end }}{{ end -}}
{{- include "cobro.refuseLeap" . -}}
{{- end }}

{{/* Refuses to skip a TLS step: while pods are replaced, the old and the new have to understand each other. Where nothing runs, or Helm sees no cluster, any step may be first. */}}
{{- define "cobro.refuseLeap" -}}
{{- $tls := .Values.tls -}}
{{- if and $tls.existingSecret (not $tls.mode) }}{{ fail "tls.mode is needed with tls.existingSecret: required for a new installation; where one runs offered, used, required, in an upgrade each" }}{{ end -}}
{{- if and $tls.mode (not $tls.existingSecret) }}{{ fail "tls.existingSecret is needed with tls.mode: without it the services speak in clear" }}{{ end -}}
{{- $steps := list "off" "offered" "used" "required" -}}
{{- $door := "" -}}
{{- range $name, $service := include "cobro.services" . | fromJson }}{{ if $service.door }}{{ $door = $name }}{{ end }}{{ end -}}
{{- $running := lookup "apps/v1" "Deployment" .Release.Namespace (printf "%s-%s" (include "cobro.fullname" .) $door) | default dict -}}
{{- if dig "status" "replicas" 0 $running -}}
{{- $is := dig "metadata" "annotations" "cobro/tls" "off" $running -}}
{{- $next := include "cobro.tlsStep" . -}}
{{- range $n, $step := $steps -}}
{{- if and (eq $step $is) (not (has $next (slice $steps (max 0 (sub $n 1)) (min 4 (add $n 2))))) }}{{ fail (printf "tls.mode: TLS is %s in what runs, and %s would be more than one step; the steps are off, offered, used, required" $is $next) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "cobro.tlsStep" -}}{{ ternary .Values.tls.mode "off" (ne .Values.tls.existingSecret "") }}{{- end }}

{{/* Refuses an address that would send real cards in clear. Takes root, what (the value's name) and address. */}}
{{- define "cobro.refuseInClear" -}}
{{- if and (eq .root.Values.keyMode "live") .address (not (regexMatch "^(https://|http://(localhost|127\\.[0-9.]+|\\[::1\\])(:[0-9]+)?(/|$))" (.address | toString | lower))) }}{{ fail (printf "%s has to be https where keyMode is live" .what) }}{{ end -}}
{{- end }}
